// How sure an answer must be to be shown as one, for each way of finding it. Written by `bench/answers.ts --fit`;
// docs/decisions/0008-local-answers.md says how the questions are chosen.
// Fitted to: documents, tables, forms, manuals, off-topic, squad, absent.
import type { Confidence } from "./confidence.ts";

/** Sentences of the found passages. */
export const QUOTE: Confidence = {
  bias: -5.37,
  weights: {
    covered: 4.44,
    near: 3.74,
    far: -0.34,
    rarestMissing: 1.66,
    missingNames: -2.1,
    missingNumbers: -1.49,
    denied: -0.95,
    narrowed: 0.18,
    opposed: -4.51,
    unshaped: -0.24,
    agreeing: 2.54,
    alike: 2.25,
    topic: 1.08,
    ahead: 0.84,
    defines: 0.26,
    fragment: -0.36,
    headed: 0.65,
  },
  least: 0.54,
};

/** Cells of a table, looked up or computed. */
export const TABLE: Confidence = {
  bias: -8.28,
  weights: {
    explained: 5.76,
    column: 1.19,
    row: -1.16,
    single: 2.38,
    conflicts: -8.38,
    strange: -0.64,
    near: 2.78,
  },
  least: 0.42,
};

/** A form's field. */
export const FORM: Confidence = {
  bias: -10.92,
  weights: {
    explained: 1.62,
    asked: -0.76,
    strange: -2.8,
    label: 4.59,
    head: 2.36,
    shaped: -1.23,
    density: 1.3,
    near: 4.18,
  },
  least: 0.42,
};

/** Not an answer, but about the same things: the passages are shown. */
export const RELATED: Confidence = {
  bias: -3.2,
  weights: {
    topic: 7.94,
    alike: -0.18,
    covered: 3.29,
    headed: 5.15,
    agreeing: 6.33,
    missingNames: -0.83,
    rarestMissing: -1.35,
  },
  least: 0.14,
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
