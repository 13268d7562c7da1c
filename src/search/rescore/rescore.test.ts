import { describe, expect, test } from "vitest";
import type { Light } from "../../embed/embed.ts";
import type { StoredChunk } from "../../store/store.ts";
import type { Candidate } from "../candidate.ts";
import { choose } from "../choose.ts";
import { openJudge, openMemory } from "./passage-signals.ts";
import { type RescoreOptions, rescore as rescoreWith } from "./rescore.ts";

/** What all passages lose for a question in a language other than English. */
const COMPARISON_BONUS = 0.02;

/** Encodes letters beyond ASCII only. */
const light: Light = {
  dimensions: 1,
  encode: () => new Float32Array(1),
  encoderFor: (text) => (/[^\0-\x7f]/.test(text) ? "light" : "model"),
  information: () => 20,
  compare: () => ({ weights: new Float32Array(0), nearest: () => new Float32Array(0) }),
  passages: async () => [],
};

function candidate(key: number, text: string, parts: object = {}, score = 0): Candidate {
  const document = { id: `d${key}`, filename: "f", format: "txt", dateAdded: "", metadata: {} };
  const chunk = { key, id: `c${key}`, text, headings: [], document } as unknown as StoredChunk;
  return { score, parts: { lexical: 0.3, vector: 0.3, ...parts }, chunk };
}

const options = { light, bounds: { lexical: 0, vector: 0 } };
const rescore = (pool: readonly Candidate[], options: Omit<RescoreOptions, "judge">) =>
  rescoreWith(pool, { ...options, judge: openJudge(options.text, options.light, openMemory()) });
const keys = (ranked: readonly Candidate[]) => ranked.map(({ chunk }) => chunk.key);

test("of two passages with the same scores the one with the question's characters comes first", () => {
  const pool = [candidate(1, "記事を投稿する手順"), candidate(2, "画像を投稿できない場合")];
  const ranked = rescore(pool, { ...options, text: "画像が投稿できない", encoder: "light" });
  expect(keys(ranked)).toEqual([2, 1]);
});

test("of two passages with the same scores the one with a sentence near the question comes first", () => {
  const aboutLeaving: Light = {
    ...light,
    encode: (text) =>
      new Float32Array([text.includes("退会") ? 1 : 0, text.includes("料金") ? 1 : 0]),
  };
  const pool = [
    candidate(1, "料金は無料です。会員は退屈しません。"),
    candidate(2, "料金は無料です。会員は退会できます。"),
  ];
  const asked = { ...options, light: aboutLeaving, text: "退会", encoder: "light" } as const;
  expect(keys(rescore(pool, asked))).toEqual([2, 1]);
  const [, second] = rescore(pool, asked);
  expect(second?.score).toBeCloseTo(0.5 * 0.85 * 0.3 + 0.5 * 0.4 * 0.3 - COMPARISON_BONUS, 6);
});

describe("piece by piece", () => {
  /** Each character is a piece: 登 is near 申, ä near ö, and any other only near itself. */
  const LIKE = ["登申", "申登", "äö", "öä"];
  const near = (one: string, two: string) => {
    if (one === two) return 1;
    return LIKE.includes(one + two) ? 0.8 : 0;
  };
  const byCharacter: Light = {
    ...light,
    compare: (question) => ({
      weights: Float32Array.from(question, () => 1),
      nearest: (text) =>
        Float32Array.from(question, (asked) =>
          Math.max(0, ...Array.from(text, (each) => near(asked, each))),
        ),
    }),
  };
  const asked = { ...options, light: byCharacter, encoder: "light" } as const;
  const scoreOf = (ranked: readonly Candidate[], key: number) =>
    ranked.find(({ chunk }) => chunk.key === key)?.score ?? 0;

  test.each([
    ["登館", "庭の予定", "申の予定"],
    ["ä", "é", "ö"],
  ])("for %j a passage with a similar word comes before one without", (text, other, like) => {
    const pool = [candidate(1, other), candidate(2, like)];
    expect(keys(rescore(pool, { ...asked, text }))).toEqual([2, 1]);
  });

  test("in a script without spaces the question's words count where one sentence has them all", () => {
    const pool = [candidate(1, "登です。館です"), candidate(2, "館と登。です")];
    expect(keys(rescore(pool, { ...asked, text: "登館" }))).toEqual([2, 1]);
  });

  test("in other languages they count wherever the passage has them", () => {
    const pool = [candidate(1, "ä é. u"), candidate(2, "ä. é u")];
    const [first, second] = rescore(pool, { ...asked, text: "äé" });
    expect(first?.score).toBeCloseTo(second?.score ?? 0, 9);
    expect(first?.score).toBeCloseTo(0.5 * 0.3 + 0.5 * (0.85 * 0.3 + 0.15) - COMPARISON_BONUS, 6);
  });

  test("a word that all passages have counts less than one that few have", () => {
    const common = Array.from({ length: 9 }, (_, at) => candidate(10 + at, "館"));
    const ranked = rescore([...common, candidate(2, "登")], { ...asked, text: "登館" });
    expect(scoreOf(ranked, 2)).toBeGreaterThan(scoreOf(ranked, 10) + 0.05);
  });

  test("passages below the best twenty keep their scores", () => {
    const others = Array.from({ length: 20 }, (_, at) => candidate(100 + at, "é"));
    const scored = (before: readonly Candidate[]) =>
      scoreOf(rescore([...before, candidate(2, "ä")], { ...asked, text: "ä" }), 2);
    expect(scored(others)).toBeCloseTo(0.3 - COMPARISON_BONUS, 6);
    expect(scored(others.slice(1))).toBeGreaterThan(0.31 - COMPARISON_BONUS);
  });
});

test("an English passage in a foreign text does not win by the names it shares", () => {
  const pool = [
    candidate(1, "The package apt", { lexical: 0.5, vector: 0.2 }),
    candidate(2, "été: le paquet apt", { lexical: 0.5, vector: 0.5 }),
  ];
  expect(keys(rescore(pool, { ...options, text: "apt été", encoder: "light" }))).toEqual([2, 1]);
});

describe("an English passage", () => {
  const aboutOil: Light = {
    ...light,
    dimensions: 2,
    encode: (text) => {
      const vector = [text.includes("oil") ? 1 : 0, text.includes("wheat") ? 1 : 0];
      const length = Math.hypot(...vector);
      return new Float32Array(vector.map((value) => (length === 0 ? 0 : value / length)));
    },
  };
  const asked = { ...options, light: aboutOil, text: "oil", encoder: "model" } as const;
  const scoreOf = (text: string, before: readonly Candidate[] = []) =>
    rescore([...before, candidate(100, text)], asked).find(({ chunk }) => chunk.key === 100)?.score;
  const plain = 0.6 * 0.3 + 0.4 * 0.3;
  const wheat = "In that year the price of wheat fell.";
  const oil = "In this year the price of oil grew a.";

  test("rises by a sentence that is nearer to the question than all of them together", () => {
    const risen = 0.3 * (1 - Math.SQRT1_2);
    expect(scoreOf(`${wheat} ${oil}`)).toBeCloseTo(plain + 0.4 * risen, 6);
  });

  test.each([
    ["is near as a whole", `${oil} ${oil}`],
    ["has no sentence near the question", `${wheat} ${wheat}`],
    ["has only a label near the question", `${wheat} ${wheat}\noil`],
    ["is in another language", `${wheat} ${oil} é`],
  ])("that %s keeps its score", (_, text) => {
    const expected = text.includes("é") ? 0.2 * 0.3 + 0.8 * 0.3 : plain;
    expect(scoreOf(text)).toBeCloseTo(expected, 6);
  });

  test("keeps its score below the best eight, whose sentences are compared", () => {
    const others = Array.from({ length: 8 }, (_, at) => candidate(at, wheat));
    expect(scoreOf(`${wheat} ${oil}`, others)).toBeCloseTo(plain, 6);
    expect(scoreOf(`${wheat} ${oil}`, others.slice(1))).toBeGreaterThan(plain + 0.01);
  });
});

test("English words in a text of another language count less than its meaning", () => {
  const pool = [
    candidate(1, "ファイル file system を開く", { lexical: 0.6, vector: 0.2 }),
    candidate(2, "ディレクトリの権限を変更する", { lexical: 0, vector: 0.6 }),
  ];
  expect(keys(rescore(pool, { ...options, text: "file system", encoder: "model" }))).toEqual([
    2, 1,
  ]);
});

test.each([
  ["English that begins with foreign names", "René, ".repeat(60), "plain prose. ".repeat(40), 0.6],
  ["a foreign text that begins with a listing", "ls -l; ".repeat(40), "éé éé ".repeat(60), 0.2],
])("the language of %s is detected from both of its ends", (_, start, end, words) => {
  const byShare: Light = {
    ...light,
    encoderFor: (text) => (text.replace(/[^é]/g, "").length * 8 > text.length ? "light" : "model"),
  };
  const pool = [candidate(1, start + end, { lexical: 0.5, vector: 0.1 })];
  const asked = { ...options, light: byShare, text: "prose" };
  const [ranked] = rescore(pool, { ...asked, encoder: "model" });
  expect(ranked?.score).toBeCloseTo(words * 0.5 + (1 - words) * 0.1);
});

test("without vectors the words alone decide", () => {
  const pool = [
    candidate(1, "one", { lexical: 0.1, vector: undefined }),
    candidate(2, "two", { lexical: 0.2, vector: undefined }),
  ];
  const bounds = { lexical: 0, vector: undefined };
  const ranked = rescore(pool, { ...options, bounds, text: "one two", encoder: "model" });
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
