import { expect, test } from "vitest";
import type { Light } from "../embed/embed.ts";
import { openAnalyser } from "../text/analyse.ts";
import { toQuery } from "./query.ts";

const analyser = openAnalyser();
/** Treats "thing" and "場合" as common words, and encodes text beyond ASCII. */
const light: Light = {
  dimensions: 1,
  encode: () => new Float32Array(1),
  encoderFor: (text) => (/[^\0-\x7f]/.test(text) ? "light" : "model"),
  information: (word) => (word === "thing" || word === "場合" ? 6 : 15),
  compare: () => ({ weights: new Float32Array(0), nearest: () => new Float32Array(0) }),
  passages: async () => [],
};

test.each([
  ["thing", 0.6],
  ["tokens", 1],
])("in an English question %j counts %d", (word, weight) => {
  const { weights, terms } = toQuery(word, analyser, light);
  expect(weights.of(terms[0] ?? "")).toBeCloseTo(weight);
});

test.each([
  ["場合", 0.5],
  ["退会", 1],
])("in a script without spaces %j counts %d", (word, weight) => {
  expect(toQuery("退会する場合", analyser, light).weights.of(word)).toBeCloseTo(weight);
});

test("in other languages, and without the light encoder, every word counts the same", () => {
  const plain = [toQuery("ça thing", analyser, light), toQuery("thing", analyser, undefined)];
  for (const { weights } of plain) expect(weights.of("thing")).toBe(1);
});
