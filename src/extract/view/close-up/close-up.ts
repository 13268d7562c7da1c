// A painted page → the part that a model is to see, with frames around the marks, in few bytes.
import type { Box } from "../../box.ts";
import { type Indexed, toPalette } from "../../image/pixels/palette.ts";
import { decodePng, encodeIndexed, type Pixels } from "../../image/pixels/png.ts";
import type { PageImage } from "../view.ts";

const MOST_BYTES = 100_000;
// Text needs few colours; photographs get fewer pixels too, as long as they can be recognised.
const STEPS = [
  { colours: 250, scale: 1 },
  { colours: 15, scale: 1 },
  { colours: 15, scale: 0.75 },
  { colours: 15, scale: 0.55 },
] as const;
const RED = [220, 0, 40];
const THICKNESS = 3;

/** `part` and `marks` are in shares of the page. */
export function closeUp(page: PageImage, part: Box, marks: readonly Box[]): PageImage {
  const pixels = decodePng(Buffer.from(page.bytes));
  // Every page that PDFium paints can be decoded.
  if (pixels === undefined) return page;
  const shown = cut(pixels, part);
  let bytes: Buffer | undefined;
  let size: Pick<Pixels, "width" | "height"> = shown;
  for (const { colours, scale } of STEPS) {
    const image = toPalette(smaller(shown, scale), colours);
    bytes = encodeIndexed(framed(image, part, marks));
    size = image;
    if (bytes.length <= MOST_BYTES) break;
  }
  const { width, height } = size;
  return { kind: "image", type: "png", bytes: bytes ?? page.bytes, width, height, part };
}

function cut({ width, height, channels, data }: Pixels, part: Box): Pixels {
  const left = Math.floor(part.x * width);
  const top = Math.floor(part.y * height);
  const across = Math.max(1, Math.min(width - left, Math.round(part.width * width)));
  const down = Math.max(1, Math.min(height - top, Math.round(part.height * height)));
  const out = new Uint8Array(across * down * channels);
  for (let y = 0; y < down; y += 1) {
    const from = ((top + y) * width + left) * channels;
    out.set(data.subarray(from, from + across * channels), y * across * channels);
  }
  return { width: across, height: down, channels, data: out };
}

/** Each pixel becomes the mean of those it covers. */
function smaller(pixels: Pixels, scale: number): Pixels {
  if (scale === 1) return pixels;
  const { channels, data } = pixels;
  const width = Math.max(1, Math.round(pixels.width * scale));
  const height = Math.max(1, Math.round(pixels.height * scale));
  const sums = new Float32Array(width * height * channels);
  const counts = new Uint16Array(width * height);
  for (let y = 0; y < pixels.height; y += 1) {
    const row = Math.floor((y * height) / pixels.height) * width;
    for (let x = 0; x < pixels.width; x += 1) {
      const to = row + Math.floor((x * width) / pixels.width);
      counts[to] = (counts[to] as number) + 1;
      const from = (y * pixels.width + x) * channels;
      for (let channel = 0; channel < channels; channel += 1) {
        const sum = to * channels + channel;
        sums[sum] = (sums[sum] as number) + (data[from + channel] as number);
      }
    }
  }
  const mean = (sum: number, at: number) => sum / (counts[Math.floor(at / channels)] as number);
  return { width, height, channels, data: Uint8Array.from(sums, mean) };
}

/** The frames get their own colour, so that no step loses them. */
function framed(image: Indexed, part: Box, marks: readonly Box[]): Indexed {
  if (marks.length === 0) return image;
  const palette = Uint8Array.from([...image.palette, ...RED]);
  const ink = image.palette.length / 3;
  for (const mark of marks) frame(image, toPixels(image, part, mark), ink);
  return { ...image, palette };
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A little around the mark, so that the frame hides no letter. */
function toPixels({ width, height }: Indexed, part: Box, mark: Box): Edges {
  const x = (share: number) => Math.round(((share - part.x) / part.width) * width);
  const y = (share: number) => Math.round(((share - part.y) / part.height) * height);
  const room = THICKNESS + 2;
  return {
    left: Math.max(0, x(mark.x) - room),
    top: Math.max(0, y(mark.y) - room),
    right: Math.min(width, x(mark.x + mark.width) + room),
    bottom: Math.min(height, y(mark.y + mark.height) + room),
  };
}

function frame({ width, data }: Indexed, { left, top, right, bottom }: Edges, ink: number): void {
  for (let y = top; y < bottom; y += 1) {
    const row = y * width;
    const isEdge = y < top + THICKNESS || y >= bottom - THICKNESS;
    if (isEdge) data.fill(ink, row + left, row + right);
    else {
      data.fill(ink, row + left, row + Math.min(right, left + THICKNESS));
      data.fill(ink, row + Math.max(left, right - THICKNESS), row + right);
    }
  }
}
