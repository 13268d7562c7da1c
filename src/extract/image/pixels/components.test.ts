import { expect, test } from "vitest";
import { hasEdges, patchesOf, thickness } from "./components.ts";
import type { Pixels } from "./png.ts";

/** "#" means ink. */
function drawn(...rows: readonly string[]): Pixels {
  const width = rows[0]?.length ?? 0;
  const data = Uint8Array.from(rows.join(""), (sign) => (sign === "#" ? 0 : 255));
  return { width, height: rows.length, channels: 1, data };
}

const boxes = (pixels: Pixels) =>
  patchesOf(pixels).map(({ x, y, width, height, area }) => [x, y, width, height, area]);

test("connected ink is one patch, corners included", () => {
  expect(boxes(drawn("#..#", "#..#", ".##."))).toEqual([[0, 0, 4, 3, 6]]);
  expect(boxes(drawn("##..#", "##..#", "....."))).toEqual([
    [0, 0, 2, 2, 4],
    [4, 0, 1, 2, 2],
  ]);
});

test("strokes that meet only at their end are one patch", () => {
  expect(boxes(drawn("#.#.#", "#.#.#", "#####"))).toEqual([[0, 0, 5, 3, 11]]);
});

test("uniform grain is not ink", () => {
  const [width, height] = [1_500, 900];
  const data = Uint8Array.from({ length: width * height }, (_, at) => (at % 2 === 0 ? 0 : 255));
  expect(patchesOf({ width, height, channels: 1, data })).toEqual([]);
});

test("a stroke is thin, a wedge is thick", () => {
  const [ring] = patchesOf(drawn("#####", "#...#", "#...#", "#####"));
  const [wedge] = patchesOf(drawn("#....", "##...", "###..", "####.", "#####"));
  expect(ring && thickness(ring)).toBe(1);
  expect(wedge && thickness(wedge)).toBe(3);
});

test("a patch that continues past the picture's end has no edge there", () => {
  const ink = drawn("......", ".##...", ".##...", ".##...", "......");
  const bar = drawn("......", ".##...", ".##...", ".##...", "......");
  const corner = drawn("......", ".#####", ".#####", ".#####", "......");
  const [patch] = patchesOf(ink);
  expect(patch && hasEdges(patch, bar)).toBe(true);
  expect(patch && hasEdges(patch, corner)).toBe(false);
});
