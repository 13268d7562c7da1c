import { expect, test } from "vitest";
import type { Light } from "../../embed/embed.ts";
import { type Languages, openJudge } from "./judge.ts";

/** Notes what it reads. */
function openLight(): Light & { readonly read: string[]; readonly encoded: string[] } {
  const [read, encoded]: [string[], string[]] = [[], []];
  return {
    read,
    encoded,
    dimensions: 1,
    encode: (text) => {
      encoded.push(text);
      return new Float32Array([text.includes("oil") ? 1 : 0]);
    },
    reader: (text) => {
      read.push(text);
      return /[^\0-\x7f]/.test(text) ? "light" : "model";
    },
    information: () => 20,
    compare: () => ({ weights: new Float32Array(0), nearest: () => new Float32Array(0) }),
    passages: async () => [],
  };
}

test("a passage's language is detected once, also by later searches", () => {
  const light = openLight();
  const languages: Languages = new Map();
  for (const question of ["one", "two"]) {
    const { readerOf } = openJudge(question, light, languages);
    expect([readerOf("plain"), readerOf("été"), readerOf("plain")]).toEqual([
      "model",
      "light",
      "model",
    ]);
  }
  expect(light.read).toEqual(["plain", "été"]);
});

test("the languages that are kept stay bounded", () => {
  const languages: Languages = new Map();
  const { readerOf } = openJudge("one", openLight(), languages);
  for (let number = 0; number < 20_000; number++) readerOf(`passage ${number}`);
  expect(languages.size).toBeGreaterThan(1_000);
  expect(languages.size).toBeLessThanOrEqual(16_384);
});

test("passages that differ by one letter have languages of their own", () => {
  const { readerOf } = openJudge("one", openLight(), new Map());
  const letters = Array.from({ length: 400 }, (_, at) => String.fromCharCode(at + 32));
  for (const letter of letters) {
    expect(readerOf(`a ${letter} b`)).toBe(letter.charCodeAt(0) < 128 ? "model" : "light");
  }
});

test("judging ahead compares the best English passages, and nothing is judged again", () => {
  const light = openLight();
  const judge = openJudge("oil", light, new Map());
  const passages = Array.from({ length: 40 }, (_, at) =>
    at === 1 ? "Le pétrole et le prix de cette année" : `The price of oil in year ${at} of it.`,
  );
  const steps = [...judge.ahead(passages)].length;
  expect(steps).toBeGreaterThan(10);
  expect(light.encoded).toContain(passages[0]);
  expect(light.encoded).not.toContain(passages[1]);
  expect(light.encoded).not.toContain(passages[30]);
  const [encoded, read] = [light.encoded.length, light.read.length];
  for (const text of passages) judge.readerOf(text);
  judge.excessOf(passages[0] ?? "");
  expect([light.encoded.length, light.read.length]).toEqual([encoded, read]);
});

test("for a question in another language only languages are judged ahead", () => {
  const light = openLight();
  for (const _ of openJudge("été", light, new Map()).ahead(["The price of oil."]));
  expect(light.encoded).toEqual([]);
});
