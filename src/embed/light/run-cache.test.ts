import { describe, expect, test } from "vitest";
import { RunCache } from "./run-cache.ts";

const toRun = (text: string) => ({
  text: `(${text})`,
  start: 1,
  end: 1 + text.length,
  isWord: true,
});

function taken(cache: RunCache, text: string): readonly number[] | undefined {
  const found: number[] = [];
  return cache.take(toRun(text), found) ? found : undefined;
}

describe("cached runs", () => {
  test("are found with the pieces they came with", () => {
    const cache = new RunCache();
    const words = Array.from({ length: 5_000 }, (_, at) => `word${at}`);
    for (const [at, word] of words.entries()) cache.add(toRun(word), [at, at + 1]);
    for (const [at, word] of words.entries()) expect(taken(cache, word)).toEqual([at, at + 1]);
    expect(taken(cache, "word")).toBeUndefined();
    expect(taken(cache, "word5000")).toBeUndefined();
  });

  test("never get another run's pieces, however many there are", () => {
    const cache = new RunCache();
    const wrong: number[] = [];
    for (let at = 0; at < 150_000; at++) {
      cache.add(toRun(at.toString(36)), [at]);
      const former = Math.floor(at / 2);
      const found = taken(cache, former.toString(36))?.[0] ?? former;
      if (found !== former || taken(cache, at.toString(36))?.[0] !== at) wrong.push(at);
    }
    expect(wrong).toEqual([]);
  });

  test("are not kept when they are long, and may have no pieces", () => {
    const cache = new RunCache();
    cache.add(toRun("a".repeat(25)), [1]);
    cache.add(toRun("é"), []);
    expect(taken(cache, "a".repeat(25))).toBeUndefined();
    expect(taken(cache, "é")).toEqual([]);
  });
});
