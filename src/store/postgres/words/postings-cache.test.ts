import { expect, test } from "vitest";
import { decodePostings, encodePostings } from "./postings.ts";
import { openPostingsCache } from "./postings-cache.ts";

const postings = (count: number) => {
  const chunks = Array.from({ length: count }, (_, key) => ({ key, terms: ["a"] }));
  return decodePostings(encodePostings(chunks, "add").data);
};

test("the least recently used entry is dropped first", () => {
  const cache = openPostingsCache(3 * 100 * 11);
  for (const term of ["one", "two", "three"]) cache.set(term, 1, postings(100));
  cache.get("one", 1);
  cache.set("four", 1, postings(100));
  const kept = ["one", "two", "three", "four"].filter((term) => cache.get(term, 1));
  expect(kept).toEqual(["one", "three", "four"]);
});

test("a list larger than the cache is kept alone", () => {
  const cache = openPostingsCache(11);
  cache.set("small", 1, postings(1));
  cache.set("large", 1, postings(50));
  expect(cache.get("small", 1)).toBeUndefined();
  expect(cache.get("large", 1)?.keys).toHaveLength(50);
});
