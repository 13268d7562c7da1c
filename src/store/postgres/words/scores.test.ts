import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePostings, encodePostings, joinTerms, splitTerms } from "./postings.ts";
import { openScores } from "./scores.ts";

test("the best are the same as those of a plain sort, for any keys", () => {
  const entry = fc.record({
    key: fc.integer({ min: 1, max: 2 ** 40 - 1 }),
    score: fc.integer({ min: 1, max: 50 }),
  });
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (all, limit) => {
        const scores = openScores();
        const sums = new Map<number, number>();
        for (const { key, score } of all) {
          scores.add(key, score);
          sums.set(key, (sums.get(key) ?? 0) + score);
        }
        const plain = [...sums]
          .map(([key, score]) => ({ key, score }))
          .sort((a, b) => b.score - a.score || a.key - b.key);
        expect(scores.best(limit)).toEqual(plain.slice(0, limit));
        const even = (key: number) => key % 2 === 0;
        expect(scores.best(limit, even)).toEqual(
          plain.filter(({ key }) => even(key)).slice(0, limit),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test("postings are unpacked as they were packed", () => {
  const key = 2 ** 33 + 7;
  const chunks = [
    { key: 5, terms: ["b", "a", "b"] },
    { key, terms: ["a"] },
  ];
  const { terms, counts, data } = encodePostings(chunks, "add");
  expect([terms, counts]).toEqual([
    ["b", "a"],
    [1, 2],
  ]);
  const { keys, lengths, times } = decodePostings(data);
  expect([[...keys], [...lengths], [...times]]).toEqual([
    [5, 5, key],
    [3, 3, 1],
    [2, 1, 1],
  ]);
  expect([...decodePostings(encodePostings(chunks, "remove").data).times]).toEqual([0, 0, 0]);
});

test("joined terms split into the same terms", () => {
  for (const terms of [[], ["one"], ["one", "two"]]) {
    expect(splitTerms(joinTerms(terms))).toEqual(terms);
  }
});
