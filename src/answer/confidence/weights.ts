// How sure an answer must be to be shown as one, for each way of finding it. Written by `bench/answers.ts --fit`;
// docs/decisions/0008-local-answers.md says how the questions are chosen.
// Fitted to: documents, files, tables, forms, manuals, off-topic, unsaid, files unsaid, squad, absent.
import type { Confidence } from "./confidence.ts";
import type {
  FormSignals,
  OtherLanguageSignal,
  QuoteSignal,
  RelatedSignal,
  TableSignals,
} from "./signals.ts";

/** Sentences of the found passages. */
export const QUOTE: Confidence<QuoteSignal> = {
  bias: -2.2,
  weights: {
    near: 2.64,
    missingNames: -1.48,
    missingNumbers: -0.57,
    denied: -1.21,
    opposed: -4.14,
    unshaped: -1.05,
    unmeasured: -1.67,
    agreeing: 1.96,
    alike: 2.22,
    topic: 2.93,
    ahead: 2,
    defines: 1.19,
    fragment: -1.14,
    unsaid: -1.16,
    unlabelled: -3.8,
    uncovered: -2.24,
    thin: -1.01,
  },
  least: 0.28,
};

/** Cells of a table, looked up or computed. */
export const TABLE: Confidence<keyof TableSignals> = {
  bias: -9.29,
  weights: {
    explained: 6.72,
    column: 2.18,
    row: -1.35,
    single: 1.6,
    conflicts: -3.42,
    strange: -2.39,
    unsaid: -1.54,
    near: 3.11,
  },
  least: 0.4,
};

/** A form's field. */
export const FORM: Confidence<keyof FormSignals> = {
  bias: -12.12,
  weights: {
    explained: 3.38,
    asked: -1.78,
    strange: -2.18,
    label: 3.6,
    head: 2.57,
    shaped: -0.38,
    density: 1.6,
    near: 4.02,
  },
  least: 0.4,
};

/** Not an answer, but about the same things: the passages are shown. */
export const RELATED: Confidence<RelatedSignal> = {
  bias: -3.37,
  weights: {
    topic: 8.32,
    alike: 0.23,
    covered: 3.3,
    headed: 5.21,
    agreeing: 5.57,
    missingNames: -0.62,
    rarestMissing: -1.26,
  },
  least: 0.13,
};

/** A quote in another language: only meaning can be compared. Set by hand; see the decision. */
export const OTHER_LANGUAGE: Confidence<OtherLanguageSignal> = {
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
