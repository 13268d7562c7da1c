import { expect, test } from "vitest";
import { passage } from "../../../test/support/passages.ts";
import type { Passage } from "../../domain/passage.ts";
import { leaveOutWeak } from "./weak-results.ts";

const strengthOf = (score: number) => {
  if (score >= 0.8) return "strong";
  return score >= 0.5 ? "fair" : "weak";
};
const found = (score: number, text = "The pump runs.", more: Partial<Passage> = {}) =>
  passage(text, {
    score,
    strength: strengthOf(score),
    parts: {},
    ...more,
  });
const scoresOf = (scores: readonly number[], documents = scores.length) =>
  leaveOutWeak(
    scores.map((score, at) =>
      found(score, "The pump runs.", { documentId: `pump-${at % documents}` }),
    ),
    "Does the pump run?",
  ).passages.map(({ score }) => score);

test("weak results are left out beside better ones, and counted", () => {
  const { passages, weak } = leaveOutWeak([found(0.9), found(0.6), found(0.49)], "pump");
  expect([passages.length, weak]).toEqual([2, 1]);
});

test("where nothing is better, the first three that are nearly fair stay, else the best", () => {
  expect(scoresOf([0.48, 0.42, 0.4, 0.38, 0.2])).toEqual([0.48, 0.42, 0.4]);
  expect(scoresOf([0.3, 0.2])).toEqual([0.3]);
  expect(scoresOf([0.09, 0.05])).toEqual([]);
  const many = Array.from({ length: 10 }, (_, at) => 0.3 - at / 100);
  // Of many documents, the best may be about anything; of one or two, all scores are low.
  expect([scoresOf(many), scoresOf(many, 3), scoresOf(many, 2)]).toEqual([[], [], [0.3]]);
});

const foreign = (score: number, more?: Partial<Passage>) => found(score, "ポンプが動く。", more);
const keptOf = (all: readonly Passage[]) =>
  leaveOutWeak(all, "Does the pump run?").passages.map(({ score }) => score);

test("beside good ones, results in another language must be strong, or contain the question's words", () => {
  expect(keptOf([foreign(0.9), found(0.6)])).toEqual([0.9, 0.6]);
  expect(keptOf([foreign(0.7), found(0.6)])).toEqual([0.6]);
  expect(keptOf([foreign(0.7), found(0.4)])).toEqual([0.7, 0.4]);
  expect(keptOf([foreign(0.7, { parts: { lexical: 3 } }), found(0.6)])).toEqual([0.7, 0.6]);
});

test("where nothing is in the question's language, results in another are shown, weak ones only first", () => {
  expect(keptOf([foreign(0.7), foreign(0.6), foreign(0.49)])).toEqual([0.7, 0.6]);
  expect(keptOf([foreign(0.45), foreign(0.44)])).toEqual([0.45]);
  expect(keptOf([foreign(0.39)])).toEqual([]);
});
