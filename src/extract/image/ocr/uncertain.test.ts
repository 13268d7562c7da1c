import { describe, expect, test } from "vitest";
import { paint } from "../../../../test/support/files/picture.ts";
import { readHere } from "../../../../test/support/read-here.ts";
import { findWords, uncertainWords } from "./uncertain.ts";

const BOX = { x: 0, y: 0, width: 10, height: 10 };
const read = (...words: readonly (readonly [string, number])[]) =>
  uncertainWords(words.map(([text, confidence]) => ({ text, confidence, ...BOX })));

describe("a word that OCR read is uncertain", () => {
  test("if its confidence is low, and for figures sooner", () => {
    expect(read(["Harbour", 0.7], ["(hrbur)", 0.5], ["53200,", 0.7], ["17", 0.9])).toEqual([
      "hrbur",
      "53200",
    ]);
  });

  test("unless the same word was read with confidence elsewhere", () => {
    expect(read(["Ferry", 0.4], ["Ferry", 0.9], ["12", 0.4], ["12", 0.9])).toEqual(["12"]);
  });

  test("if a point or the first digit of an amount seems lost", () => {
    expect(read(["148.40", 0.95], ["14840", 0.95], ["RM48.40", 0.95], ["40", 0.95])).toEqual([
      "14840",
      "RM48.40",
    ]);
  });

  test("if it is the rest of a figure whose first digit was read apart", () => {
    const at = (text: string, x: number, width: number) => ({
      ...{ ...BOX, text, x, width, confidence: 0.95 },
    });
    expect(uncertainWords([at("9", 0, 6), at("7%", 7, 12)])).toEqual(["7%"]);
    expect(uncertainWords([at("9", 0, 6), at("7%", 12, 12)])).toEqual([]);
  });

  test("as a whole phrase where words have no spaces", () => {
    expect(read(["復 旧 時 間", 0.4])).toEqual(["復旧時間"]);
  });
});

test("uncertain words are found as whole words in their part of the text", () => {
  const text = "RM4 here. | RM4 | RM4.00, 目標復旧時間は";
  const found = findWords(text, { words: ["RM4", "復旧時間"], from: 5, to: text.length });
  expect(found.map(([start, end]) => [start, text.slice(start, end)])).toEqual([
    [12, "RM4"],
    [28, "復旧時間"],
  ]);
});

test("the report on a picture says where its uncertain words are", async () => {
  const lines = ["Total 148.40", "Paid in cash 14840"].map((text, at) => ({
    text,
    y: 80 + at * 80,
  }));
  const { text, pages } = await readHere("till.png", await paint(700, 240, lines).encode("png"));
  const words = pages[0]?.uncertain?.map(([start, end]) => text.slice(start, end));
  expect(words).toEqual(["14840"]);
});
