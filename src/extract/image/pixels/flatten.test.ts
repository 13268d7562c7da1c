import { describe, expect, test } from "vitest";
import { flatten, wipe, wipeRules } from "./flatten.ts";
import { decodePng, encodeGrey, type Pixels } from "./png.ts";

type Colour = readonly [number, number, number];

/** A background with a bar of another colour, as wide as a letter's stroke. */
function barred(back: Colour, bar: Colour): Pixels {
  const [width, height] = [90, 60];
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at += 1) {
    const isBar = at % width >= 43 && at % width < 46 && at >= width * 20 && at < width * 40;
    data.set(isBar ? bar : back, at * 3);
  }
  return { width, height, channels: 3, data };
}

const at = ({ width, data }: Pixels, x: number, y: number) => data[y * width + x] ?? -1;

describe("a flattened picture", () => {
  test.each<[string, Colour, Colour]>([
    ["black on white", [255, 255, 255], [0, 0, 0]],
    ["white on blue", [20, 60, 160], [255, 255, 255]],
    ["grey on grey", [60, 60, 60], [100, 100, 100]],
    ["red on green of the same brightness", [60, 140, 60], [150, 60, 60]],
  ])("is dark on white where it was %s", (_, back, bar) => {
    const flat = flatten(barred(back, bar), 12);
    expect(at(flat, 44, 30)).toBeLessThan(30);
    expect(at(flat, 10, 30)).toBe(255);
  });

  test("has no ink at the edge between two areas", () => {
    const both = barred([255, 255, 255], [255, 255, 255]);
    for (let y = 0; y < both.height; y += 1)
      both.data.fill(40, y * both.width * 3, y * both.width * 3 + 45 * 3);
    expect(Math.min(...flatten(both, 12).data)).toBe(255);
  });
});

describe("ink", () => {
  const blank = (): Pixels => ({
    width: 120,
    height: 60,
    channels: 1,
    data: new Uint8Array(7200).fill(255),
  });

  test("in straight lines longer than a letter is erased, letters are not", () => {
    const ink = blank();
    for (let x = 5; x < 115; x += 1) ink.data[30 * 120 + x] = 0;
    for (let y = 5; y < 15; y += 1) ink.data[y * 120 + 60] = 0;
    wipeRules(ink, 40);
    expect([at(ink, 50, 30), at(ink, 60, 10)]).toEqual([255, 0]);
  });

  test("that was read is erased", () => {
    const ink = blank();
    for (let x = 12; x < 18; x += 1) for (let y = 12; y < 18; y += 1) ink.data[y * 120 + x] = 0;
    wipe(ink, { x: 0.1, y: 0.2, width: 0.05, height: 0.1 });
    expect(ink.data.every((value) => value === 255)).toBe(true);
  });

  test("is the same after it was written as PNG", () => {
    const data = Uint8Array.from({ length: 50 * 20 }, (_, place) => (place * 37) % 256);
    const grey = { width: 50, height: 20, channels: 1, data };
    expect(decodePng(encodeGrey(grey))).toEqual(grey);
  });
});
