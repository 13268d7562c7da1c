import { describe, expect, test } from "vitest";
import { BACKGROUND, chanceOf, fitting, type Hit } from "./hook-rule.ts";

const hit = (score: number, lexical: number, vector: number, at = 0): Hit => ({
  documentId: `document-${at}`,
  filename: `${at}.md`,
  score,
  strength: score >= 0.5 ? "fair" : "weak",
  parts: { lexical, vector },
});
const found = (score: number, lexical: number, vector: number) =>
  Array.from({ length: 10 }, (_, at) => hit(score - at / 50, lexical, vector, at));
const CHANCE = 0.8;
const names = (prompt: string, hits = found(0.5, 0.25, 0.3), chance = CHANCE) =>
  fitting(hits, prompt, chance).length > 0;

describe("the same results", () => {
  test.each([
    ["how long is the notice period for tenants?", true],
    ["notice period for tenants of flats in town", false],
    ["write the notice period for tenants into the page", false],
    ["please write the notice period for tenants", false],
    ["what does this notice period for tenants mean?", false],
    ["賃借人の解約予告期間を教えて", true],
    ["賃借人の解約予告期間は?", true],
    ["賃借人の解約予告期間を書いてください", false],
  ])("for %s: %s", (prompt, isNamed) => {
    expect(names(prompt)).toBe(isNamed);
  });
});

test("a prompt of a word or two needs more than a long one", () => {
  const hits = found(0.7, 0.25, 0.3);
  expect(names("what is the notice period for tenants of flats?", hits)).toBe(true);
  expect(names("what is notice?", hits)).toBe(false);
});

test("better results in any respect name no less", () => {
  const prompts = ["how do I cancel?", "cancel the flat", "解約するには", "flat"];
  const steps = [0.1, 0.3, 0.5, 0.7, 0.9];
  for (const prompt of prompts)
    for (const [score, words, vector] of steps.flatMap((a) =>
      steps.flatMap((b) => steps.map((c) => [a, b, c] as const)),
    )) {
      if (!names(prompt, found(score, words, vector))) continue;
      expect(names(prompt, found(score + 0.1, words, vector))).toBe(true);
      expect(names(prompt, found(score, words + 0.1, vector))).toBe(true);
      expect(names(prompt, found(score, words, vector + 0.1))).toBe(true);
    }
});

test("where any prompt scores much, more is needed", () => {
  const high = chanceOf(BACKGROUND.map(() => found(0.7, 0.5, 0.4)));
  const low = chanceOf(BACKGROUND.map(() => found(0.2, 0.1, 0.1)));
  expect(high).toBeGreaterThan(low);
  const prompt = "how long is the notice period for tenants?";
  expect(names(prompt, found(0.5, 0.25, 0.3), low)).toBe(true);
  expect(names(prompt, found(0.5, 0.25, 0.3), high)).toBe(false);
});

test("weak results are named only where nothing is better, and then only the first", () => {
  const mixed = [hit(0.9, 0.9, 0.9, 1), hit(0.6, 0.4, 0.4, 2), hit(0.2, 0.1, 0.1, 3)];
  expect(fitting(mixed, "how do I cancel?", CHANCE).map(({ score }) => score)).toEqual([0.9, 0.6]);
  const weak = [hit(0.4, 0.6, 0.5, 1), hit(0.3, 0.6, 0.5, 2)];
  expect(fitting(weak, "how long is the notice period for tenants?", CHANCE)).toEqual(
    weak.slice(0, 1),
  );
});

test("nothing is named without results, by words alone, or with scores that are missing", () => {
  expect(fitting([], "how do I cancel?", CHANCE)).toEqual([]);
  expect(fitting([{ ...hit(0.2, 0, 0), parts: {} }], "how do I cancel?", CHANCE)).toEqual([]);
});
