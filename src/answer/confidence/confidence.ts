// How likely an answer is right, computed from its signals.

/** A logistic model of the probability that an answer is right: `bias`, and one weight per signal. */
export interface Confidence<Signal extends string> {
  readonly bias: number;
  readonly weights: Readonly<Record<Signal, number>>;
  /** At or above this probability, nine of ten answers were right on questions not used for fitting. */
  readonly least: number;
}

/** An answer may have more signals than the model uses. */
export function confidenceOf<Signal extends string>(
  { bias, weights }: Confidence<Signal>,
  signals: Readonly<Record<Signal, number>>,
): number {
  let sum = bias;
  for (const name in weights) sum += weights[name] * signals[name];
  return 1 / (1 + Math.exp(-sum));
}
