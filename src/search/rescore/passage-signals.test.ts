import { expect, test } from "vitest";
import type { Light } from "../../embed/embed.ts";
import { openJudge, openMemory } from "./passage-signals.ts";

/** Records what it is asked to read. */
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
    encoderFor: (text) => {
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
  const memory = openMemory();
  for (const question of ["one", "two"]) {
    const { encoderOf } = openJudge(question, light, memory);
    expect([encoderOf("plain"), encoderOf("été"), encoderOf("plain")]).toEqual([
      "model",
      "light",
      "model",
    ]);
  }
  expect(light.read).toEqual(["plain", "été"]);
});

test("the languages that are kept stay bounded", () => {
  const memory = openMemory();
  const { encoderOf } = openJudge("one", openLight(), memory);
  for (let number = 0; number < 20_000; number++) encoderOf(`passage ${number}`);
  expect(memory.languages.size).toBeGreaterThan(1_000);
  expect(memory.languages.size).toBeLessThanOrEqual(16_384);
});

test("passages that differ by one letter each have their own language", () => {
  const { encoderOf } = openJudge("one", openLight(), openMemory());
  const letters = Array.from({ length: 400 }, (_, at) => String.fromCharCode(at + 32));
  for (const letter of letters) {
    expect(encoderOf(`a ${letter} b`)).toBe(letter.charCodeAt(0) < 128 ? "model" : "light");
  }
});

test("a passage's sentences are encoded once, also for later questions", () => {
  const light = openLight();
  const memory = openMemory();
  const passage = "In that year the price of wheat fell. In this year the price of oil rose.";
  const excess = ["oil", "oil!", "oil"].map((text) =>
    openJudge(text, light, memory).excessOf(passage),
  );
  expect(new Set(excess).size).toBe(1);
  expect(light.encoded.filter((text) => text.length > 10)).toHaveLength(2);
});

test("the sentences that are kept stay bounded, and the first go first", () => {
  const light = openLight();
  const memory = openMemory();
  const { excessOf } = openJudge("oil", light, memory);
  const table = "A row of a table of forty characters.\n".repeat(40);
  for (let number = 0; number < 300; number++)
    excessOf(`The price of oil in year ${number}, said.`);
  excessOf(table);
  expect(memory.sentences.size).toBeGreaterThan(128);
  expect(memory.sentences.size).toBeLessThanOrEqual(256);
  expect(memory.sentences.get("The price of oil in year 299, said.")).toBeDefined();
  expect(memory.sentences.get("The price of oil in year 1, said.")).toBeUndefined();
  expect(memory.sentences.get(table)).toBeUndefined();
});

test("judging ahead compares the best English passages, and nothing is judged again", () => {
  const light = openLight();
  const judge = openJudge("oil", light, openMemory());
  const passages = Array.from({ length: 40 }, (_, at) =>
    at === 1 ? "Le pétrole et le prix de cette année" : `The price of oil in year ${at} of it.`,
  );
  const steps = [...judge.judgeAhead(passages)].length;
  expect(steps).toBeGreaterThan(7);
  expect(light.encoded).toContain(passages[0]);
  expect(light.encoded).not.toContain(passages[1]);
  expect(light.encoded).not.toContain(passages[30]);
  const [encoded, read] = [light.encoded.length, light.read.length];
  for (const text of passages) judge.encoderOf(text);
  judge.excessOf(passages[0] ?? "");
  expect([light.encoded.length, light.read.length]).toEqual([encoded, read]);
});

test("for a question in another language only languages are judged ahead", () => {
  const light = openLight();
  for (const _ of openJudge("été", light, openMemory()).judgeAhead(["The price of oil."]));
  expect(light.encoded).toEqual([]);
});
