import { expect, test } from "vitest";
import { toPalette } from "./palette.ts";

test("the most frequent colours stay, and the others become the nearest of them", () => {
  const [white, red, pink] = [
    [255, 255, 255],
    [255, 0, 0],
    [255, 60, 60],
  ];
  const data = Uint8Array.from([white, white, white, red, red, pink].flatMap((each) => each ?? []));
  const { palette, data: indexes } = toPalette({ width: 3, height: 2, channels: 3, data }, 2);
  expect([...palette]).toEqual([255, 255, 255, 255, 0, 0]);
  expect([...indexes]).toEqual([0, 0, 0, 1, 1, 1]);
});
