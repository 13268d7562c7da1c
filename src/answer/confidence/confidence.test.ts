import { describe, expect, test } from "vitest";
import { passage } from "../../../test/support/passages.ts";
import { type Candidate, mostConfident } from "../answer-from-passages.ts";
import { type Confidence, confidenceOf } from "./confidence.ts";
import type { QuoteSignals, TableSignals } from "./signals.ts";
import { FORM, OTHER_LANGUAGE, QUOTE, TABLE } from "./weights.ts";

const NO_QUOTE: QuoteSignals = {
  ...{ covered: 0, near: 0, headed: 0, rarestMissing: 0, missingNames: 0, missingNumbers: 0 },
  ...{ denied: 0, opposed: 0, unshaped: 0, unmeasured: 0, agreeing: 0, alike: 0, topic: 0 },
  ...{ ahead: 0, defines: 0, fragment: 0 },
  ...{ unnamed: 0, unsaid: 0, unlabelled: 0, uncovered: 0, thin: 0 },
};
const NO_TABLE: TableSignals = {
  ...{ explained: 0, column: 0, row: 0, single: 0, conflicts: 0, strange: 0, unsaid: 0, near: 0 },
};

describe("confidence", () => {
  const model: Confidence<"near" | "unsaid"> = {
    bias: -1,
    weights: { near: 3, unsaid: -2 },
    least: 0.5,
  };

  test("weighs each signal of the model and ignores the others", () => {
    const even = { near: 1, unsaid: 1, topic: 1 };
    expect(confidenceOf(model, even)).toBe(0.5);
    expect(confidenceOf(model, { near: 1, unsaid: 0 })).toBeCloseTo(1 / (1 + Math.exp(-2)), 12);
  });

  test("a weight without a signal, or a signal without a weight, does not compile", () => {
    const { near: _, ...missing } = QUOTE.weights;
    // @ts-expect-error: the signal `near` has no weight.
    const without: typeof QUOTE = { ...QUOTE, weights: missing };
    // @ts-expect-error: there is no signal `nearly`.
    const beyond: typeof QUOTE = { ...QUOTE, weights: { ...QUOTE.weights, nearly: 1 } };
    const { topic: __, ...less } = NO_QUOTE;
    // @ts-expect-error: the sentence has no `topic`, which the model weighs.
    expect(confidenceOf(QUOTE, less)).toBeNaN();
    expect([without, beyond]).toHaveLength(2);
  });
});

test("a table that matches the whole question takes precedence over a row that shares a word with it", () => {
  const sure = { bias: 20, least: 0.5 };
  const models = {
    quote: { ...QUOTE, ...sure, bias: 30 },
    otherLanguage: { ...OTHER_LANGUAGE, ...sure },
    table: { ...TABLE, ...sure },
    form: { ...FORM, ...sure },
  };
  const claim = (documentId: string, isRow: boolean) => ({
    text: documentId,
    passage: { ...passage("", { chunkId: documentId }), documentId },
    spans: [{ start: 0, end: 1 }],
    isRow,
  });
  const quoted = (isRow: boolean): Candidate => ({
    way: "quote",
    claims: [claim("orchestra", isRow)],
    signals: { ...NO_QUOTE, covered: 0.6 },
  });
  const table: Candidate = {
    way: "table",
    claims: [claim("books", false)],
    signals: { ...NO_TABLE, explained: 1 },
  };
  expect(mostConfident([quoted(true), table], models)).toBe(table);
  expect(mostConfident([quoted(false), table], models)?.way).toBe("quote");
});
