import { describe, expect, test } from "vitest";
import { mergeReadings } from "./merge.ts";

const word = (text: string, x: number, confidence: number) => ({
  text,
  x,
  y: 0,
  width: text.length * 10,
  height: 20,
  confidence,
});
const texts = (words: readonly { readonly text: string }[]) => words.map(({ text }) => text);

describe("of two readings", () => {
  test("the more certain one is kept where they overlap", () => {
    expect(texts(mergeReadings([word("T0ta1", 0, 0.6)], [word("Total", 0, 0.9)]))).toEqual([
      "Total",
    ]);
    expect(texts(mergeReadings([word("Total", 0, 0.9)], [word("T0ta1", 0, 0.6)]))).toEqual([
      "Total",
    ]);
  });

  test("words split differently are compared as a whole", () => {
    const first = [word("INV", 0, 0.9), word("-2O417", 30, 0.4)];
    expect(texts(mergeReadings(first, [word("INV-20417", 0, 0.9)]))).toEqual(["INV-20417"]);
  });

  test("words of only one reading are kept, unless they are probably a line or a corner", () => {
    const second = [word("annex", 200, 0.7), word("J", 300, 0.6), word("™", 400, 0.9)];
    expect(texts(mergeReadings([word("Total", 0, 0.9)], second))).toEqual(["Total", "annex"]);
  });
});
