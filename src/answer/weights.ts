// How sure an answer must be to be shown as one, for each way of finding it. Written by `bench/answers.ts --fit`;
// docs/decisions/0008-local-answers.md says how the questions are chosen.
// Fitted to: documents, tables, forms, off-topic, squad, absent.
import type { Confidence } from "./confidence.ts";

/** Sentences of the found passages. */
export const QUOTE: Confidence = {
  bias: -5.81,
  weights: {
    covered: 5.01,
    near: 1.14,
    far: -0.9,
    rarestMissing: 1.86,
    missingNames: -1.69,
    missingNumbers: -0.81,
    denied: -1.11,
    narrowed: -0.23,
    opposed: -3.49,
    unshaped: -0.47,
    agreeing: 2.83,
    alike: -0.66,
    topic: 3.93,
    ahead: 0.97,
    defines: -0.47,
  },
  least: 0.47,
};

/** Cells of a table, looked up or computed. */
export const TABLE: Confidence = {
  bias: -6.67,
  weights: {
    explained: 5.3,
    column: 0.88,
    row: -1.08,
    single: 1.26,
    conflicts: -8.99,
    strange: -0.37,
    near: 2.86,
  },
  least: 0.42,
};

/** A form's field. */
export const FORM: Confidence = {
  bias: -10.57,
  weights: {
    explained: 1.95,
    asked: -1.99,
    strange: -3.47,
    label: 3.67,
    head: 2.56,
    shaped: -0.56,
    density: 2.42,
    near: 3.53,
  },
  least: 0.42,
};

/** Not an answer, but about the same things: the passages are shown. */
export const RELATED: Confidence = {
  bias: -3.4,
  weights: {
    topic: 7.91,
    alike: 1.11,
    covered: 3.67,
    agreeing: 5.28,
    missingNames: -0.52,
    rarestMissing: -1.32,
  },
  least: 0.13,
};

/** A quote in another language: only meaning can be compared. Set by hand; see the decision. */
export const ABROAD: Confidence = {
  bias: -9,
  weights: {
    alike: 9,
    topic: 6,
    ahead: 1,
    unshaped: -0.5,
    missingNumbers: -1.5,
    opposed: -1,
  },
  least: 0.5,
};
