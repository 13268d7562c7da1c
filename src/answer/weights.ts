// How sure an answer must be to be shown as one, for each way of finding it. Written by `bench/answers.ts --fit`;
// docs/decisions/0008-local-answers.md says how the questions are chosen.
// Fitted to: documents, tables, forms, manuals, off-topic, unsaid, squad, absent.
import type { Confidence } from "./confidence.ts";

/** Sentences of the found passages. */
export const QUOTE: Confidence = {
  bias: -4.32,
  weights: {
    covered: 2.83,
    near: 3.62,
    far: 0.81,
    rarestMissing: 1.1,
    missingNames: -1.57,
    missingNumbers: -2.21,
    denied: -0.77,
    narrowed: 0.29,
    opposed: -4.62,
    unshaped: -1.64,
    agreeing: 3.29,
    alike: 2.23,
    topic: 2.07,
    ahead: 0.59,
    defines: 0.97,
    fragment: -0.95,
    headed: 0.05,
    unnamed: -0.97,
    unsaid: -0.66,
    lacking: 0.12,
    strange: -0.48,
  },
  least: 0.42,
};

/** Cells of a table, looked up or computed. */
export const TABLE: Confidence = {
  bias: -8.46,
  weights: {
    explained: 6.28,
    column: 2.82,
    row: -1.77,
    single: 1.36,
    conflicts: -4.28,
    strange: -1.54,
    unsaid: -1.34,
    near: 2.7,
  },
  least: 0.42,
};

/** A form's field. */
export const FORM: Confidence = {
  bias: -13.4,
  weights: {
    explained: 3.57,
    asked: -1.59,
    strange: -1.94,
    label: 4.4,
    head: 2.47,
    shaped: -0.08,
    density: 1.82,
    near: 3.85,
  },
  least: 0.42,
};

/** Not an answer, but about the same things: the passages are shown. */
export const RELATED: Confidence = {
  bias: -3.31,
  weights: {
    topic: 8.07,
    alike: 0.2,
    covered: 3.59,
    headed: 5.23,
    agreeing: 5.65,
    missingNames: -0.68,
    rarestMissing: -1.34,
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
