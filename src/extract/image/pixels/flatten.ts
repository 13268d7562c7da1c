// Makes ink of any colour dark on white, for OCR: each pixel becomes its distance from the background around it. White on
// blue, grey on grey and shaded photographs all come out alike.
//
//   background   the median colour of a window
//   ink          the distance from it, in the channel where they differ most
//   contrast     relative to the strongest ink nearby: faint print becomes as dark as black print

import type { Box } from "../../box.ts";
import { backgroundOf, type Plane, STEP } from "./background.ts";
import type { Pixels } from "./png.ts";

const CELL = 16;
const NEAR_CELLS = 2;
// Weaker ink is the grain of the paper.
const MIN_CONTRAST = 28;
const GRAINS = 6;

/** `half` is half of the window's size in pixels; letters are smaller than the window. */
export function flatten(pixels: Pixels, half: number): Pixels {
  const planes = backgroundOf(pixels, half);
  const { width, height } = pixels;
  const ink = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) inkRow(pixels, planes, y, ink);
  return { width, height, channels: 1, data: stretched({ width, height, data: ink }) };
}

type Planes = readonly [Plane, Plane, Plane];

/**
 * Compares each pixel with the nearest of four cells: at the edge of a coloured area one of them
 * has the pixel's colour, so the edge does not count as ink.
 */
function inkRow(pixels: Pixels, planes: Planes, y: number, ink: Uint8Array): void {
  const { width, channels, data } = pixels;
  const grid = planes[0];
  const above = Math.min(grid.height - 1, Math.max(0, Math.floor((y - 1) / STEP)));
  const under = Math.min(grid.height - 1, above + 1);
  for (let x = 0; x < width; x += 1) {
    const before = Math.min(grid.width - 1, Math.max(0, Math.floor((x - 1) / STEP)));
    const after = Math.min(grid.width - 1, before + 1);
    const at = (y * width + x) * channels;
    let least = distance(planes, above * grid.width + before, data, at);
    // Most pixels are paper and already match the first cell.
    if (least > 2) {
      least = Math.min(
        least,
        distance(planes, above * grid.width + after, data, at),
        distance(planes, under * grid.width + before, data, at),
        distance(planes, under * grid.width + after, data, at),
      );
    }
    ink[y * width + x] = least;
  }
}

function distance(planes: Planes, cell: number, data: Uint8Array, at: number): number {
  const red = Math.abs((data[at] as number) - (planes[0].data[cell] as number));
  const green = Math.abs((data[at + 1] as number) - (planes[1].data[cell] as number));
  const blue = Math.abs((data[at + 2] as number) - (planes[2].data[cell] as number));
  return Math.max(red, green, blue);
}

/** Makes all ink as dark as the strongest ink nearby, on white, and drops the paper's grain. */
function stretched(ink: Plane): Uint8Array {
  const grain = grainOf(ink.data);
  const peaks = widened(peaksOf(ink), Math.max(MIN_CONTRAST, grain * GRAINS));
  const out = new Uint8Array(ink.data.length);
  for (let y = 0; y < ink.height; y += 1) {
    const row = Math.floor(y / CELL) * peaks.width;
    for (let x = 0; x < ink.width; x += 1) {
      const at = y * ink.width + x;
      const most = peaks.data[row + Math.floor(x / CELL)] as number;
      const value = Math.max(0, (ink.data[at] as number) - grain);
      out[at] = 255 - Math.min(255, (value * 255) / (most - grain));
    }
  }
  return out;
}

/** How much the paper itself varies: most pixels are paper. */
function grainOf(ink: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const value of ink) counts[value] = (counts[value] as number) + 1;
  let seen = 0;
  for (const [value, count] of counts.entries()) {
    seen += count;
    if (seen > ink.length * 0.6) return Math.min(value, 40);
  }
  return 0;
}

function peaksOf({ width, height, data }: Plane): Plane {
  const across = Math.ceil(width / CELL);
  const down = Math.ceil(height / CELL);
  const peaks = new Uint8Array(across * down);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const cell = Math.floor(y / CELL) * across + Math.floor(x / CELL);
      const value = data[y * width + x] as number;
      if (value > (peaks[cell] as number)) peaks[cell] = value;
    }
  return { width: across, height: down, data: peaks };
}

/** The maximum of the neighbouring cells, but at least `least`. */
function widened({ width, height, data }: Plane, least: number): Plane {
  const reach = Array.from({ length: NEAR_CELLS * 2 + 1 }, (_, at) => at - NEAR_CELLS);
  const highest = (x: number, y: number) => {
    const rows = reach.map((by) => y + by).filter((row) => row >= 0 && row < height);
    const columns = reach.map((by) => x + by).filter((column) => column >= 0 && column < width);
    const near = rows.flatMap((row) => columns.map((column) => data[row * width + column] ?? 0));
    return Math.max(least, ...near);
  };
  return { width, height, data: data.map((_, at) => highest(at % width, Math.floor(at / width))) };
}

// A flattened picture, ink on white: erases what was read, and the lines of tables and frames.

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
