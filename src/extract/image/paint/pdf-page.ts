// Renders drawings by writing them into a one-page PDF: PDFium, needed for PDF files anyway, turns it into
// pixels.
import { deflateSync } from "node:zlib";
import type { Picture } from "../ocr/ocr.ts";
import type { Pixels } from "../pixels/png.ts";

export interface PaintedPage {
  readonly width: number;
  readonly height: number;
  /** PDF operators; y points up. */
  readonly content: string;
  /** Drawn by `/P0 Do` and so on. */
  readonly pictures?: readonly Pixels[];
}

// One pixel per point.
const DPI = 72;
// Fonts that PDFium has: Latin, and bold. Others come from the system, if it has any.
const latin = (name: string) =>
  `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
const WIDE =
  "<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiKakuGo-W5 /Encoding /UniJIS-UTF16-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiKakuGo-W5 /DW 1000 /W [1 632 500] /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 5 >> /FontDescriptor << /Type /FontDescriptor /FontName /HeiseiKakuGo-W5 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>";
const FONTS = `/F ${latin("Helvetica")} /B ${latin("Helvetica-Bold")} /W ${WIDE}`;

export async function paintPage(page: PaintedPage): Promise<Picture | undefined> {
  const { LiteParse } = await import("@llamaindex/liteparse");
  const painter = new LiteParse({ dpi: DPI, quiet: true, ocrEnabled: false, numWorkers: 1 });
  const [shot] = await painter.screenshot(toPdf(page), [1]);
  if (shot === undefined) return undefined;
  return { bytes: shot.imageBuffer, width: shot.width, height: shot.height };
}

export function toPdf({ width, height, content, pictures = [] }: PaintedPage): Buffer {
  const names = pictures.map((_, at) => `/P${at} ${5 + at} 0 R`);
  const resources = `<< /XObject << ${names.join(" ")} >> /Font << ${FONTS} >> >>`;
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources ${resources} >>`;
  const objects = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
    Buffer.from(page),
    stream("", Buffer.from(content)),
    ...pictures.map(pictureObject),
  ];
  const parts = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    const whole = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      object,
      Buffer.from("\nendobj\n"),
    ]);
    parts.push(whole);
    at += whole.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

function pictureObject({ width, height, channels, data }: Pixels): Buffer {
  const rgb = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at += 1)
    rgb.set(data.subarray(at * channels, at * channels + 3), at * 3);
  const keys = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode `;
  return stream(keys, deflateSync(rgb, { level: 1 }));
}

function stream(keys: string, bytes: Buffer): Buffer {
  const head = Buffer.from(`<< ${keys}/Length ${bytes.length} >>\nstream\n`);
  return Buffer.concat([head, bytes, Buffer.from("\nendstream")]);
}
