import { expect, test } from "vitest";
import type { Light } from "../embed/embed.ts";
import type { StoredChunk } from "../store/store.ts";
import type { Candidate } from "./candidate.ts";
import { choose } from "./choose.ts";
import { lookCloser } from "./look-closer.ts";

/** Reads letters beyond ASCII. */
const light: Light = {
  dimensions: 1,
  encode: () => new Float32Array(1),
  reader: (text) => (/[^\0-\x7f]/.test(text) ? "light" : "model"),
  passages: async () => [],
};

function candidate(key: number, text: string, parts: object = {}, score = 0): Candidate {
  const document = { id: `d${key}`, filename: "f", format: "txt", dateAdded: "", metadata: {} };
  const chunk = { key, id: `c${key}`, text, headings: [], document } as unknown as StoredChunk;
  return { score, parts: { lexical: 0.3, vector: 0.3, ...parts }, chunk };
}

const look = { light, bounds: { lexical: 0, vector: 0 } };
const keys = (ranked: readonly Candidate[]) => ranked.map(({ chunk }) => chunk.key);

test("of two passages with the same scores the one with the question's characters comes first", () => {
  const pool = [candidate(1, "記事を投稿する手順"), candidate(2, "画像を投稿できない場合")];
  const ranked = lookCloser(pool, { ...look, text: "画像が投稿できない", reader: "light" });
  expect(keys(ranked)).toEqual([2, 1]);
});

test("English words in a text of another language count less than its meaning", () => {
  const pool = [
    candidate(1, "ファイル file system を開く", { lexical: 0.6, vector: 0.2 }),
    candidate(2, "ディレクトリの権限を変更する", { lexical: 0, vector: 0.6 }),
  ];
  expect(keys(lookCloser(pool, { ...look, text: "file system", reader: "model" }))).toEqual([2, 1]);
});

test("without vectors the words alone decide", () => {
  const pool = [
    candidate(1, "one", { lexical: 0.1, vector: undefined }),
    candidate(2, "two", { lexical: 0.2, vector: undefined }),
  ];
  const bounds = { lexical: 0, vector: undefined };
  const ranked = lookCloser(pool, { light, bounds, text: "one two", reader: "model" });
  expect(ranked.map(({ chunk, score }) => [chunk.key, score])).toEqual([
    [2, 0.2],
    [1, 0.1],
  ]);
});

test("passages that score the same are shown with scores that fall", () => {
  const pool = Array.from({ length: 20 }, (_, at) =>
    candidate(at, `text ${at} ${"abcdefghijklmnopqrstuvwxyz"[at]} of its own`, {}, 0.5),
  );
  const relevances = choose(pool, 20).map(({ score }) => score.toFixed(4));
  expect(new Set(relevances).size).toBe(20);
  expect(relevances).toEqual(relevances.toSorted().reverse());
});
