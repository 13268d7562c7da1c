import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuse } from "../../src/search/fuse.ts";
import { toRelevance } from "../../src/search/score.ts";
import type { Hit } from "../../src/store/store.ts";

const LIMIT = 20;

/** Lists as stores give them: each key once, best first. */
const hits: fc.Arbitrary<Hit[]> = fc
  .uniqueArray(fc.record({ key: fc.nat(40), score: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    selector: ({ key }) => key,
    maxLength: LIMIT,
  })
  .map((list) => list.sort((a, b) => b.score - a.score || a.key - b.key));
const sides = fc.record({
  words: hits,
  vectors: hits,
  limit: fc.constant(LIMIT),
});
const reader = fc.constantFrom("model" as const, "light" as const);

describe("fusion", () => {
  test("every hit of either side is there once, best first", () => {
    fc.assert(
      fc.property(sides, reader, (given, query) => {
        const { hits: fused } = fuse(given, query);
        const keys = [...given.words, ...given.vectors].map(({ key }) => key);
        expect(fused.map(({ key }) => key).sort()).toEqual([...new Set(keys)].sort());
        const scores = fused.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  test("a hit that is better on both sides never ranks lower", () => {
    fc.assert(
      fc.property(sides, reader, (given, query) => {
        const { hits: fused, parts } = fuse(given, query);
        const place = new Map(fused.map(({ key }, at) => [key, at]));
        const sided = fused.map(({ key }) => ({ key, ...parts.get(key) }));
        const pairs = sided.flatMap((a) => sided.map((b) => [a, b] as const));
        const isBetter = (a?: number, b?: number) => (a ?? -1) > (b ?? 2);
        for (const [a, b] of pairs) {
          if (!isBetter(a.lexical, b.lexical) || !isBetter(a.vector, b.vector)) continue;
          expect(place.get(a.key)).toBeLessThan(place.get(b.key) ?? 0);
        }
      }),
    );
  });

  test("one side alone keeps its own order", () => {
    fc.assert(
      fc.property(hits, reader, (words, query) => {
        const { hits: fused } = fuse({ words, vectors: [], limit: LIMIT }, query);
        expect(fused.map(({ key }) => key)).toEqual(words.map(({ key }) => key));
      }),
    );
  });

  test("relevance rises with the score and stays between 0 and 1", () => {
    const score = fc.double({ min: -1, max: 2, noNaN: true });
    fc.assert(
      fc.property(score, score, (a, b) => {
        const [low, high] = [toRelevance(Math.min(a, b)), toRelevance(Math.max(a, b))];
        expect(low).toBeLessThanOrEqual(high);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });
});
