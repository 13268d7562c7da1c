// How likely an answer is right, computed from its signals.

/** A logistic model of the probability that an answer is right: `bias` and one weight per signal. */
export interface Confidence {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
  /** At or above this probability, nine of ten answers were right on questions that were not used for fitting. */
  readonly least: number;
}

export function confidenceOf({ bias, weights }: Confidence, signals: object): number {
  const sum = Object.entries(signals).reduce(
    (all, [name, value]) => all + (weights[name] ?? 0) * Number(value),
    bias,
  );
  return 1 / (1 + Math.exp(-sum));
}
