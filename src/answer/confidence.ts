// How likely an answer is right, computed from its signals.

/** A logistic model of an answer's being right: `bias` and one weight for each signal. */
export interface Confidence {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
  /** From here on nine in ten of the answers are right, on questions that no weight was fitted on. */
  readonly least: number;
}

export function confidenceOf({ bias, weights }: Confidence, signals: object): number {
  const sum = Object.entries(signals).reduce(
    (all, [name, value]) => all + (weights[name] ?? 0) * Number(value),
    bias,
  );
  return 1 / (1 + Math.exp(-sum));
}
