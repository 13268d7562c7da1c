// A drawn slide as a page of PDF, which PDFium paints. Letters are approximate: each word begins at its place.
import { toPdf } from "../../image/paint/pdf-page.ts";
import { svgPage } from "../../image/paint/svg-page.ts";
import type { Pixels } from "../../image/pixels/png.ts";
import type { Slide, SlideWord } from "./canvas.ts";
import { ASCENT, LINE_HEIGHT } from "./text.ts";

interface SlidePdf {
  readonly bytes: Buffer;
  /** How many times larger the page is than the slide. */
  readonly scale: number;
}

/** `decode` makes pixels of a picture's bytes; undefined if it cannot be read. */
export async function slidePdf(
  slide: Slide,
  decode: (bytes: Buffer) => Promise<Pixels | undefined>,
): Promise<SlidePdf | undefined> {
  const addresses: string[] = [];
  const page = svgPage(slide.svg, addresses);
  if (page === undefined) return undefined;
  const decoded = new Map<string, Pixels>();
  for (const address of [...new Set(addresses)].slice(0, MAX_PICTURES))
    decoded.set(address, (await decode(bytesOf(address))) ?? EMPTY);
  const pictures = addresses.map((address) => decoded.get(address) ?? EMPTY);
  const scale = page.width / slide.width;
  const words = slide.words.map((word) => written(word, { scale, height: page.height }));
  const content = [page.content, ...words].join("\n");
  return { bytes: toPdf({ ...page, content, pictures }), scale };
}

// More are shown as grey areas; each takes up to 6 MB of memory.
const MAX_PICTURES = 30;
const EMPTY: Pixels = { width: 1, height: 1, channels: 3, data: Uint8Array.from([225, 228, 232]) };

function bytesOf(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
}

const LATIN = /^[\u0020-\u007e\u00a0-\u00ff]*$/;

interface Paper {
  readonly scale: number;
  /** PDF counts from the bottom. */
  readonly height: number;
}

function written(
  { text, x, y, height, colour, bold }: SlideWord,
  { scale, height: bottom }: Paper,
): string {
  const size = height / LINE_HEIGHT;
  const at = [x * scale, bottom - (y + size * ASCENT) * scale].map((each) => each.toFixed(2));
  const rgb = [1, 3, 5].map((from) =>
    (Number.parseInt(colour.rgb.slice(from, from + 2), 16) / 255).toFixed(3),
  );
  const isLatin = LATIN.test(text);
  const letters = isLatin ? Buffer.from(text, "latin1") : Buffer.from(text, "utf16le").swap16();
  const latin = bold ? "/B" : "/F";
  const font = isLatin ? latin : "/W";
  return `BT ${rgb.join(" ")} rg ${font} ${(size * scale).toFixed(2)} Tf ${at.join(" ")} Td <${letters.toString("hex")}> Tj ET`;
}
