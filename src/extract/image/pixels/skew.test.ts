import { expect, test } from "vitest";
import type { Pixels } from "./png.ts";
import { rotated, skewOf } from "./skew.ts";

/** Rows of dashes, which look like lines of words from a distance. */
function lines(): Pixels {
  const [width, height] = [400, 300];
  const data = new Uint8Array(width * height).fill(255);
  for (let y = 60; y < 240; y += 20)
    for (let x = 80; x < 320; x += 1)
      if (x % 12 < 9) for (let down = 0; down < 6; down += 1) data[(y + down) * width + x] = 0;
  return { width, height, channels: 1, data };
}

test.each([-8, -3, 0, 4, 11])(
  "lines that lean by %d degrees are detected and straightened",
  (degrees) => {
    const leaning = rotated(lines(), (-degrees * Math.PI) / 180);
    const found = skewOf(leaning);
    expect((found * 180) / Math.PI).toBeCloseTo(degrees, 0);
    expect(Math.abs(skewOf(rotated(leaning, found)))).toBeLessThan(0.02);
  },
);

test("a picture without lines has no skew", () => {
  expect(skewOf({ width: 50, height: 50, channels: 1, data: new Uint8Array(2500).fill(255) })).toBe(
    0,
  );
});
