// How sure an answer must be to be shown as one, for each way of finding it. Written by `bench/answers.ts --fit`;
// docs/decisions/0008-local-answers.md says how the questions are chosen.
// Fitted to: documents, tables, forms, manuals, off-topic, unsaid, squad, absent.
import type { Confidence } from "./confidence.ts";

/** Sentences of the found passages. */
export const QUOTE: Confidence = {
  bias: -4.52,
  weights: {
    covered: 2.88,
    near: 3.47,
    far: 0.88,
    rarestMissing: 1.22,
    missingNames: -1.42,
    missingNumbers: -2.16,
    denied: -0.78,
    narrowed: 0.32,
    opposed: -4.6,
    unshaped: -1.71,
    agreeing: 3.28,
    alike: 2.42,
    topic: 1.88,
    ahead: 0.73,
    defines: 1.02,
    fragment: -1.18,
    headed: 0.06,
    unnamed: -0.86,
    unsaid: -0.89,
    lacking: 0.08,
    strange: -0.5,
  },
  least: 0.42,
};

/** Cells of a table, looked up or computed. */
export const TABLE: Confidence = {
  bias: -8.66,
  weights: {
    explained: 6.33,
    column: 2.65,
    row: -1.77,
    single: 1.67,
    conflicts: -4.4,
    strange: -1.52,
    unsaid: -1.49,
    near: 2.74,
  },
  least: 0.42,
};

/** A form's field. */
export const FORM: Confidence = {
  bias: -13.27,
  weights: {
    explained: 3.52,
    asked: -1.64,
    strange: -2.13,
    label: 4.31,
    head: 2.45,
    shaped: -0.04,
    density: 1.82,
    near: 3.88,
  },
  least: 0.42,
};

/** Not an answer, but about the same things: the passages are shown. */
export const RELATED: Confidence = {
  bias: -3.26,
  weights: {
    topic: 8.42,
    alike: 0.07,
    covered: 3.42,
    headed: 5.05,
    agreeing: 5.58,
    missingNames: -0.63,
    rarestMissing: -1.37,
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
