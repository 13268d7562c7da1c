import { expect, test } from "vitest";
import { patchesOf } from "../../pixels/components.ts";
import type { Pixels } from "../../pixels/png.ts";
import { sheetOf } from "./sheet.ts";
import { textLines } from "./text-lines.ts";

const [WIDTH, HEIGHT] = [400, 200];

/** Rows of vertical strokes, 20 high like letters, with a large frame around them. */
function labelled(...places: readonly (readonly [x: number, y: number])[]): Pixels {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  const dark = (x: number, y: number, width: number, height: number) => {
    for (let row = y; row < y + height; row += 1)
      data.fill(0, row * WIDTH + x, row * WIDTH + x + width);
  };
  for (const [x, y] of places) for (let at = 0; at < 4; at += 1) dark(x + at * 14, y, 4, 20);
  dark(2, 2, WIDTH - 4, 2);
  dark(2, HEIGHT - 4, WIDTH - 4, 2);
  dark(2, 2, 2, HEIGHT - 4);
  return { width: WIDTH, height: HEIGHT, channels: 1, data };
}

test("lines are found anywhere on the sheet, and its frame is not one", () => {
  const ink = labelled([40, 30], [250, 140]);
  const lines = textLines(patchesOf(ink), ink);
  expect(lines.map(({ x, y, width, height }) => [x, y, width, height])).toEqual([
    [40, 30, 46, 20],
    [250, 140, 46, 20],
  ]);
});

test("a word that is read on the sheet is placed where it was on the picture", () => {
  const ink = labelled([40, 30], [250, 140]);
  const { pixels, place } = sheetOf(ink, textLines(patchesOf(ink), ink));
  const onSheet = patchesOf(pixels);
  const left = Math.min(...onSheet.map(({ x }) => x));
  const lower = onSheet.filter(({ y }) => y > pixels.height / 2);
  const [first] = lower;
  const word = {
    text: "low",
    confidence: 1,
    x: left,
    y: first?.y ?? 0,
    width: Math.max(...lower.map(({ x, width }) => x + width)) - left,
    height: first?.height ?? 0,
  };
  const found = place(word)[0];
  expect(found?.x).toBeCloseTo(250, -0.5);
  expect(found?.y).toBeCloseTo(140, -0.5);
  expect(found?.width).toBeCloseTo(46, -0.5);
  expect(found?.height).toBeCloseTo(20, -0.5);
});

test("digits read as one word return to their own places", () => {
  const ink = labelled();
  const dark = (x: number, y: number) => {
    for (let row = y; row < y + 20; row += 1)
      ink.data.fill(0, row * WIDTH + x, row * WIDTH + x + 9);
  };
  for (const [x, y] of [
    [40, 30],
    [160, 30],
    [280, 90],
  ] as const)
    dark(x, y);
  const { pixels, place } = sheetOf(ink, textLines(patchesOf(ink), ink));
  const onSheet = patchesOf(pixels);
  const left = Math.min(...onSheet.map(({ x }) => x));
  const right = Math.max(...onSheet.map(({ x, width }) => x + width));
  const word = { confidence: 1, x: left, y: onSheet[0]?.y ?? 0, width: right - left, height: 20 };
  const found = place({ ...word, text: "514" });
  expect(found.map(({ text, x }) => [text, Math.round(x / 10) * 10])).toEqual([
    ["5", 40],
    ["1", 160],
    ["4", 280],
  ]);
  expect(place({ ...word, text: "51" })).toEqual([]);
});
