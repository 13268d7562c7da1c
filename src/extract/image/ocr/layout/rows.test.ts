import { expect, test } from "vitest";
import { toRows } from "./rows.ts";
import type { OcrWord } from "./word.ts";

const word = (text: string, x: number, y: number, width: number, height = 12): OcrWord => ({
  text,
  x,
  y,
  width,
  height,
  confidence: 0.9,
});

const texts = (words: readonly OcrWord[]) =>
  toRows(words).map((row) => row.words.map(({ text }) => text));

test("a word in the middle of a phrase goes between the phrase's words", () => {
  const phrase = word("会 議 議事", 0, 0, 60);
  expect(texts([phrase, word("の", 25, 0, 10), word("録", 62, 0, 12)])).toEqual([
    ["会", "議", "の", "議事", "録"],
  ]);
});

test("a word below another one stays in a separate row", () => {
  const row = [word("Total", 0, 0, 50), word("due", 60, 0, 30)];
  expect(texts([...row, word("now", 60, 14, 30)])).toEqual([["Total", "due"], ["now"]]);
});
