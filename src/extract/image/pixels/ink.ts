// A flattened picture, ink on white: erases what was read, and the lines of tables and frames.
import type { Box } from "../../box.ts";
import type { Pixels } from "./png.ts";

const WHITE = 255;
const DARK = 128;

/** Erases the box and one pixel around it. */
export function wipe({ width, height, data }: Pixels, box: Box): void {
  const left = Math.max(0, Math.floor(box.x * width) - 1);
  const right = Math.min(width, Math.ceil((box.x + box.width) * width) + 1);
  const bottom = Math.min(height, Math.ceil((box.y + box.height) * height) + 1);
  for (let y = Math.max(0, Math.floor(box.y * height) - 1); y < bottom; y += 1)
    data.fill(WHITE, y * width + left, y * width + right);
}

/** Erases straight runs that are longer than any letter. */
export function wipeRules(pixels: Pixels, longest: number): void {
  const { width, height } = pixels;
  for (let y = 0; y < height; y += 1)
    wipeRuns(pixels.data, { from: y * width, step: 1, count: width, longest });
  for (let x = 0; x < width; x += 1)
    wipeRuns(pixels.data, { from: x, step: width, count: height, longest });
}

interface Run {
  readonly from: number;
  readonly step: number;
  readonly count: number;
  readonly longest: number;
}

function wipeRuns(data: Uint8Array, { from, step, count, longest }: Run): void {
  let start = 0;
  for (let at = 0; at <= count; at += 1) {
    if (at < count && (data[from + at * step] ?? WHITE) < DARK) continue;
    if (at - start > longest)
      for (let place = start; place < at; place += 1) data[from + place * step] = WHITE;
    start = at + 1;
  }
}
