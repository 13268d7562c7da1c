// How sure an answer must be to be shown as one, for each way of finding it. Weights are fitted as `bench/answers.ts
// --fit` does it, to its sets and to two sets of FAQ queries; thresholds were set by hand where nine in ten answers to
// questions of the parts left out are right. docs/decisions/0008-local-answers.md has the figures.
import type { Confidence } from "./confidence.ts";

export const QUOTE: Confidence = {
  bias: -4.93,
  weights: {
    covered: 3.96,
    near: 2.13,
    far: -0.27,
    rarestMissing: 1.23,
    missingNames: -0.46,
    missingNumbers: -0.53,
    denied: -0.92,
    narrowed: -0.34,
    opposed: -4.07,
    unshaped: -0.26,
    agreeing: 3.64,
    alike: -0.29,
    topic: 2.34,
    ahead: 1.12,
    defines: -0.06,
  },
  least: 0.42,
};

export const TABLE: Confidence = {
  bias: -7.32,
  weights: {
    explained: 6.2,
    column: 1.12,
    row: -1.12,
    single: 1.08,
    conflicts: -6.55,
    strange: -1.01,
    near: 2.76,
  },
  least: 0.45,
};

export const FORM: Confidence = {
  bias: -11.81,
  weights: {
    explained: 1.81,
    asked: -1.21,
    strange: -3.04,
    label: 3.5,
    head: 2.42,
    shaped: 0.1,
    density: 2.4,
    near: 4.13,
  },
  least: 0.4,
};

/** A quote in another language: only meaning can be compared. */
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

/** Not an answer, but about the same things: the passages are shown. */
export const RELATED: Confidence = {
  bias: -2.78,
  weights: {
    topic: 7.33,
    alike: 2.87,
    covered: 2.55,
    agreeing: 4.65,
    missingNames: -0.51,
    rarestMissing: -1.94,
  },
  least: 0.25,
};
