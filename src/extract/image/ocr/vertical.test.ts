import { expect, test } from "vitest";
import { toVerticalParagraphs } from "./vertical.ts";

const word = (text: string, x: number, y: number) => ({
  text,
  x,
  y,
  width: 18,
  height: text.length * 20,
  confidence: 0.9,
});

test("vertical lines are read from the right, each from top to bottom", () => {
  const words = [
    word("だけは", 100, 20),
    word("猫である", 202, 64),
    word("吾輩は", 200, 0),
    word("記憶している", 98, 84),
    word("名前は", 150, 10),
    word("まだ無い", 152, 80),
  ];
  expect(toVerticalParagraphs(words)).toEqual(["吾輩は猫である名前はまだ無いだけは記憶している"]);
});
