// How sure an answer must be to be shown as one, for each way of finding it. Written by `bench/answers.ts --fit`;
// docs/decisions/0008-local-answers.md says how the questions are chosen.
// Fitted to: documents, tables, forms, manuals, off-topic, unsaid, squad, absent.
import type { Confidence } from "./confidence.ts";

/** Sentences of the found passages. */
export const QUOTE: Confidence = {
  bias: -4.57,
  weights: {
    covered: 3.09,
    near: 3.21,
    far: 0.61,
    rarestMissing: 1.06,
    missingNames: -1.51,
    missingNumbers: -0.36,
    denied: -0.75,
    narrowed: 0.39,
    opposed: -4.52,
    unshaped: -1.68,
    agreeing: 2.97,
    alike: 2.42,
    topic: 1.9,
    ahead: 0.77,
    defines: 0.77,
    fragment: -1.16,
    headed: 0.24,
    unnamed: -0.55,
    unsaid: -1,
    lacking: -0.03,
    strange: -0.27,
  },
  least: 0.4,
};

/** Cells of a table, looked up or computed. */
export const TABLE: Confidence = {
  bias: -8.65,
  weights: {
    explained: 6.38,
    column: 2.65,
    row: -1.99,
    single: 1.75,
    conflicts: -3.54,
    strange: -2.96,
    unsaid: -1.51,
    near: 2.8,
  },
  least: 0.4,
};

/** A form's field. */
export const FORM: Confidence = {
  bias: -12.03,
  weights: {
    explained: 3.41,
    asked: -1.78,
    strange: -2.17,
    label: 3.53,
    head: 2.58,
    shaped: -0.31,
    density: 1.58,
    near: 3.9,
  },
  least: 0.4,
};

/** Not an answer, but about the same things: the passages are shown. */
export const RELATED: Confidence = {
  bias: -3.26,
  weights: {
    topic: 8.37,
    alike: 0.09,
    covered: 3.44,
    headed: 5.29,
    agreeing: 5.6,
    missingNames: -1.02,
    rarestMissing: -1.35,
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
