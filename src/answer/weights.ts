// How sure an answer must be to be shown as one, for each way of finding it. Written by `bench/answers.ts --fit`;
// docs/decisions/0008-local-answers.md says how the questions are chosen.
// Fitted to: documents, tables, forms, manuals, off-topic, unsaid, files, files unsaid, squad, absent.
import type { Confidence } from "./confidence.ts";

/** Sentences of the found passages. */
export const QUOTE: Confidence = {
  bias: -2.06,
  weights: {
    near: 2.14,
    missingNames: -1.39,
    missingNumbers: -0.26,
    denied: -1.13,
    opposed: -3.94,
    unshaped: -0.91,
    unmeasured: -2.22,
    agreeing: 2.17,
    alike: 2.06,
    topic: 2.81,
    ahead: 1.77,
    defines: 1.27,
    fragment: -0.9,
    unsaid: -1.17,
    unlabelled: -3.5,
    uncovered: -2.29,
    thin: -1.24,
  },
  least: 0.3,
};

/** Cells of a table, looked up or computed. */
export const TABLE: Confidence = {
  bias: -9.09,
  weights: {
    explained: 6.52,
    column: 2.5,
    row: -1.61,
    single: 1.53,
    conflicts: -3.37,
    strange: -2.49,
    unsaid: -1.52,
    near: 3.08,
  },
  least: 0.4,
};

/** A form's field. */
export const FORM: Confidence = {
  bias: -12.2,
  weights: {
    explained: 3.43,
    asked: -1.81,
    strange: -2.19,
    label: 3.62,
    head: 2.58,
    shaped: -0.32,
    density: 1.57,
    near: 4,
  },
  least: 0.4,
};

/** Not an answer, but about the same things: the passages are shown. */
export const RELATED: Confidence = {
  bias: -3.4,
  weights: {
    topic: 8.36,
    alike: 0.27,
    covered: 3.3,
    headed: 5.25,
    agreeing: 5.58,
    missingNames: -0.64,
    rarestMissing: -1.26,
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
