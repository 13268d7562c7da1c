import { expect, test } from "vitest";
import { encodeAdded } from "./format/encode.ts";
import { toAdded } from "./format/segment.ts";
import { mostFrequent, shortest, similarIn, startingIn, toTermList } from "./vocabulary.ts";

const chunksOf = (texts: readonly string[]) =>
  texts.map((text, at) => ({ key: at + 1, doc: 1, terms: text.split(" ") }));
const added = (...texts: readonly string[]) =>
  toTermList(encodeAdded(toAdded(chunksOf(texts))).content.map(({ terms }) => terms));
const findSimilar = (lists: Parameters<typeof similarIn>[0], term: string, limit: number) =>
  mostFrequent(similarIn(lists, term), limit);
const findStartingWith = (lists: Parameters<typeof similarIn>[0], prefix: string, limit: number) =>
  mostFrequent(shortest(startingIn(lists, prefix)), limit);

test("of thousands of words with the same prefix the shortest are found, up to a limit", () => {
  const words = Array.from({ length: 5_000 }, (_, at) => `con${"x".repeat(at % 50)}${at}`);
  const lists = [added(...words), added("cone other")];
  const found = findStartingWith(lists, "con", 1_000);
  expect(found).toHaveLength(200);
  const lengths = [...words, "cone"].map(({ length }) => length).sort((a, b) => a - b);
  expect(found.map(({ length }) => length).sort((a, b) => a - b)).toEqual(lengths.slice(0, 200));
  expect(findStartingWith(lists, "co", 5)).toEqual([]);
});

test("the most frequent come first, then by spelling", () => {
  const lists = [added("wordb worda", "wordc worda wordb", "wordc", "wordc"), added("wordc")];
  expect(findSimilar(lists, "wordx", 5)).toEqual(["wordc", "worda", "wordb"]);
  expect(findStartingWith(lists, "word", 2)).toEqual(["wordc", "worda"]);
});
