import { expect, test } from "vitest";
import { words } from "../../text/words.ts";
import { type WordSimilarity, wordCoverage } from "./word-coverage.ts";

const NONE: ReadonlySet<string> = new Set();
const near: WordSimilarity = (one, other) => (one === "start" && other === "commenced" ? 0.5 : 0.1);
const share = (asked: string, text: string, { wordSimilarity = near, above = NONE } = {}) => {
  const own = words(text);
  const keys = new Set(own.map(({ key }) => key));
  return wordCoverage(words(asked), { text, words: own, keys, above }, wordSimilarity)[0];
};

test("the same word, another form of it and a heading name it fully", () => {
  expect(share("salary", "Her salary is secret.")).toBe(1);
  expect(share("salary", "Salaries are secret.")).toBe(1);
  expect(
    share("salary", "It is secret.", { above: new Set(words("salary").map(({ key }) => key)) }),
  ).toBe(1);
  expect(share("定価", "定価は五百円です。")).toBe(1);
});

test("a synonym and a word close in meaning name it in part, any other word does not", () => {
  expect(share("cost", "The price is ten euros.")).toBeCloseTo(0.8);
  expect(share("start", "It commenced in April.")).toBeCloseTo(0.8);
  expect(share("start", "It is located in Porto.")).toBe(0);
  expect(
    wordCoverage(words("start"), { text: "", words: [], keys: NONE, above: NONE }, undefined),
  ).toEqual([0]);
});
