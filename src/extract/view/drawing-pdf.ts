// A drawing as a page of PDF, which PDFium paints and finds the words of. Letters are approximate.
import { toPdf } from "../image/paint/pdf-page.ts";
import { svgPage } from "../image/paint/svg-page.ts";
import type { Pixels } from "../image/pixels/png.ts";

/** `decode` makes pixels of a picture's bytes; undefined if it cannot be read. */
export async function drawingPdf(
  svg: string,
  decode: (bytes: Buffer) => Promise<Pixels | undefined>,
) {
  const addresses: string[] = [];
  const page = svgPage(svg, addresses);
  if (page === undefined) return undefined;
  const decoded = new Map<string, Pixels>();
  for (const address of [...new Set(addresses)].slice(0, MAX_PICTURES))
    decoded.set(address, (await decode(bytesOf(address))) ?? EMPTY);
  const pictures = addresses.map((address) => decoded.get(address) ?? EMPTY);
  return { bytes: toPdf({ ...page, pictures }), width: page.width, height: page.height };
}

// More are shown as grey areas; each takes up to 6 MB of memory.
const MAX_PICTURES = 30;
const EMPTY: Pixels = { width: 1, height: 1, channels: 3, data: Uint8Array.from([225, 228, 232]) };

/** Of a data URL; addresses of other kinds are never opened. */
function bytesOf(address: string): Buffer {
  const isData = address.startsWith("data:");
  return Buffer.from(isData ? address.slice(address.indexOf(",") + 1) : "", "base64");
}
