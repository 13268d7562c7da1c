// Fits the weights of src/answer/quote/support.ts and the doubt above which an answer is refused.

import { readQuestion } from "../../src/answer/quote/question.ts";
import { assess } from "../../src/answer/quote/quote.ts";
import type { Signals } from "../../src/answer/quote/support.ts";
import type { Passage } from "../../src/domain/passage.ts";
import { type Fitted, fitLogistic } from "./logistic.ts";

export interface Asked {
  readonly query: string;
  readonly passages: readonly Passage[];
  /** `misled`: written to mislead; `absent`: the document that answers is left out; `plain`: answerable, of another kind of text. */
  readonly kind: "answerable" | "misled" | "absent" | "plain";
}

const WEIGHTS: Readonly<Partial<Record<Asked["kind"], number>>> = {
  // Questions about absent things are easy: too many of them would drown the hard ones.
  absent: 0.6,
  // The other text is small, and keeps the weights from fitting one set's habits.
  plain: 2,
};
const ANSWERABLE_KEPT = 0.91;

/** The lines to be put into support.ts. */
export function fitRefusal(asked: readonly Asked[], maxResults: number): string {
  const read = asked.flatMap(({ query, passages, kind }) => {
    const { signals } = assess(readQuestion(query), passages, maxResults);
    return signals ? [{ signals, kind }] : [];
  });
  const names = Object.keys(read[0]?.signals ?? {}) as (keyof Signals)[];
  const fitted = fitLogistic(
    read.map(({ signals, kind }) => ({
      signals: { ...signals },
      label: kind === "answerable" || kind === "plain" ? 0 : 1,
      weight: WEIGHTS[kind] ?? 1,
    })),
    names,
  );
  const doubts = read
    .filter(({ kind }) => kind === "answerable")
    .map(({ signals }) => doubtOf(signals, fitted))
    .sort((a, b) => a - b);
  const above = doubts[Math.floor(doubts.length * ANSWERABLE_KEPT)] ?? 0;
  return [
    `BIAS ${fitted.bias.toFixed(2)}`,
    ...names.map((name) => `${name}: ${fitted.weights[name]?.toFixed(2)}`),
    `REFUSED_ABOVE ${above.toFixed(2)}`,
  ].join("\n");
}

function doubtOf(signals: Signals, { bias, weights }: Fitted): number {
  return Object.entries(signals).reduce(
    (sum, [name, value]) => sum + (weights[name] ?? 0) * value,
    bias,
  );
}
