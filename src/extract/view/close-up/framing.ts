// Which part of a page a close-up shows, and how large: letters become readable, and the picture stays small.
import type { Box } from "../../box.ts";

type Size = Pick<Box, "width" | "height">;

export interface Framing {
  /** In shares of the page. */
  readonly part: Box;
  /** Pixels per unit of the page. */
  readonly scale: number;
}

// What models see without making it smaller themselves.
const MAX_SIDE = 1_400;
const MAX_PIXELS = 1_150_000;
// A line this high, in pixels, is easy to read.
const LINE = 22;
// How much is shown around the marks, in lines: a usual page across, and half of it down.
const ACROSS = 60;
const DOWN = 24;
const MARGIN = 3;
// A part that is almost the page is not worth a cut.
const ALMOST = 0.8;
const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };

/** `marks` are in shares of the page; without any, the whole page is shown. */
export function framingOf(page: Size, marks: readonly Box[]): Framing {
  const line = lineHeight(page, marks);
  const part = marks.length === 0 ? WHOLE : partAround(page, marks, line);
  const [width, height] = [part.width * page.width, part.height * page.height];
  const most = Math.min(
    MAX_SIDE / Math.max(width, height),
    Math.sqrt(MAX_PIXELS / (width * height)),
  );
  return { part, scale: part === WHOLE ? most : Math.min(most, LINE / line) };
}

function partAround(page: Size, marks: readonly Box[], line: number): Box {
  const x = across(marks, "x", "width", (line * ACROSS) / page.width);
  const y = across(marks, "y", "height", (line * DOWN) / page.height);
  const part = { x: x.from, y: y.from, width: x.to - x.from, height: y.to - y.from };
  return part.width * part.height > ALMOST ? WHOLE : part;
}

/** The marks with a margin, at least `least` long, moved inside the page. */
function across(
  marks: readonly Box[],
  start: "x" | "y",
  side: "width" | "height",
  least: number,
): { readonly from: number; readonly to: number } {
  const first = Math.min(...marks.map((mark) => mark[start]));
  const last = Math.max(...marks.map((mark) => mark[start] + mark[side]));
  const margin = (least / (side === "width" ? ACROSS : DOWN)) * MARGIN;
  const length = Math.min(1, Math.max(least, last - first + 2 * margin));
  const from = Math.min(1 - length, Math.max(0, (first + last - length) / 2));
  return { from, to: from + length };
}

/** The usual height of the marked lines; vertical ones are as wide as others are high. */
function lineHeight(page: Size, marks: readonly Box[]): number {
  const heights = marks
    .map(({ width, height }) => Math.min(width * page.width, height * page.height))
    .toSorted((a, b) => a - b);
  const least = Math.max(page.width, page.height) / 400;
  return Math.max(least, heights[heights.length >> 1] ?? 0);
}
