import { expect, test } from "vitest";
import { boxOf, wordsOf } from "./boxes.ts";

// A word in the upper left corner of a picture of 200 × 100, at its position after each turn.
test.each([
  [0, { x: 10, y: 5, width: 40, height: 10 }],
  [90, { x: 5, y: 150, width: 10, height: 40 }],
  [180, { x: 150, y: 85, width: 40, height: 10 }],
  [270, { x: 85, y: 10, width: 10, height: 40 }],
] as const)("a word's box is on the given picture when it was turned by %i", (turn, place) => {
  const box = boxOf(place, { turn }, { width: 200, height: 100 });
  const shares = [box.x, box.y, box.width, box.height].map((share) => Math.round(share * 100));
  expect(shares).toEqual([5, 5, 20, 10]);
});

test("a phrase is split into its words, each with its share of the box", () => {
  const phrase = { text: "Total due", x: 100, y: 0, width: 90, height: 10, confidence: 1 };
  const parts = wordsOf(phrase).map(({ text, x, width }) => [text, x, width]);
  expect(parts).toEqual([
    ["Total", 100, 50],
    ["due", 160, 30],
  ]);
});
