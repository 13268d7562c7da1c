import { expect, test } from "vitest";
import { toVerticalParagraphs } from "./lines.ts";

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

test("a phrase across two lines is split", () => {
  const at = (text: string, x: number, y: number, width: number, height: number) => ({
    ...{ text, x, y, width, height, confidence: 0.9 },
  });
  const words = [
    at("予定", 40, 0, 20, 40),
    at("新", 100, 0, 20, 20),
    at("で し", 40, 42, 80, 20),
    at("す", 40, 64, 20, 20),
    at("い", 100, 64, 20, 20),
  ];
  expect(toVerticalParagraphs(words)).toEqual(["新しい予定です"]);
});
