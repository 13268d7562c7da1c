// PDF files for tests: pages of lines in Helvetica, or of one JPEG that fills the page.

interface TextLine {
  readonly text: string;
  readonly size?: number;
  readonly x?: number;
  readonly y?: number;
}

export type PdfPage =
  | readonly (string | TextLine)[]
  | { readonly jpeg: Buffer; readonly width: number; readonly height: number };

export function makePdf(pages: readonly PdfPage[]): Buffer {
  const objects: Buffer[] = [];
  const add = (content: string | Buffer) => objects.push(Buffer.from(content));
  const kids = pages.map((_, at) => `${4 + at * 3} 0 R`).join(" ");
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const [at, page] of pages.entries()) {
    const own = 4 + at * 3;
    const image = "jpeg" in page;
    const resources = image ? `/XObject << /Im0 ${own + 2} 0 R >>` : "/Font << /F1 3 0 R >>";
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << ${resources} >> /Contents ${own + 1} 0 R >>`,
    );
    add(stream("", Buffer.from(image ? "q 612 0 0 792 0 0 cm /Im0 Do Q" : textContent(page))));
    add(image ? picture(page) : "<< >>");
  }
  return assemble(objects);
}

function picture({ jpeg, width, height }: Extract<PdfPage, { readonly jpeg: Buffer }>): Buffer {
  return stream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
    jpeg,
  );
}

function textContent(lines: readonly (string | TextLine)[]): string {
  let y = 740;
  const shown = lines.map((line) => {
    const { text, size = 11, x = 60, y: at = y } = typeof line === "string" ? { text: line } : line;
    y = at - size * 1.4;
    return `BT /F1 ${size} Tf ${x} ${at} Td (${text.replace(/[\\()]/g, "\\$&")}) Tj ET`;
  });
  return shown.join("\n");
}

function stream(entries: string, content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from("\nendstream"),
  ]);
}

function assemble(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n", "latin1")];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [at, object] of objects.entries()) {
    const whole = Buffer.concat([
      Buffer.from(`${at + 1} 0 obj\n`),
      object,
      Buffer.from("\nendobj\n"),
    ]);
    offsets.push(length);
    parts.push(whole);
    length += whole.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
