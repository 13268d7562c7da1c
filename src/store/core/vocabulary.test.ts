import { expect, test } from "vitest";
import { mostFrequent, openVocabulary } from "./vocabulary.ts";

test("of thousands of words with the same prefix the shortest are found, up to a limit", () => {
  const vocabulary = openVocabulary();
  for (let number = 5_000; number > 0; number--)
    vocabulary.add(`con${"x".repeat(number % 50)}${number}`);
  vocabulary.add("cone");
  vocabulary.add("other");
  const found = vocabulary.startingWith("con");
  expect(found.length).toBeLessThanOrEqual(200);
  expect(found[0]).toBe("cone");
  expect(found.map(({ length }) => length)).toEqual(
    found.map(({ length }) => length).toSorted((a, b) => a - b),
  );
  expect(vocabulary.startingWith("co")).toEqual([]);
});

test("the most frequent come first, then by spelling, and unused ones are left out", () => {
  const frequencies = new Map([
    ["b", 2],
    ["gone", 0],
    ["a", 2],
    ["c", 9],
  ] as const);
  expect(mostFrequent(frequencies, 2)).toEqual(["c", "a"]);
});
