// Logistic regression by Newton's method with a ridge: small, deterministic, no dependency.

export interface Fitted<Name extends string> {
  readonly bias: number;
  readonly weights: Readonly<Record<Name, number>>;
}

export interface Example {
  readonly signals: Readonly<Record<string, number>>;
  readonly label: 0 | 1;
  readonly weight: number;
}

const RIDGE = 3;
const STEPS = 30;

/** Signals are standardised inside, so that the ridge treats them alike; the result is for raw values. */
export function fitLogistic<Name extends string>(
  examples: readonly Example[],
  names: readonly Name[],
): Fitted<Name> {
  const means = names.map((name) => average(examples.map(({ signals }) => signals[name] ?? 0)));
  const spreads = names.map(
    (name, at) =>
      Math.sqrt(
        average(examples.map(({ signals }) => ((signals[name] ?? 0) - at0(means, at)) ** 2)),
      ) || 1,
  );
  const rows = examples.map(({ signals }) => [
    ...names.map((name, at) => ((signals[name] ?? 0) - at0(means, at)) / at0(spreads, at)),
    1,
  ]);
  let beta: number[] = new Array(names.length + 1).fill(0);
  for (let step = 0; step < STEPS; step++) beta = newton(beta, rows, examples);
  const weights = names.map((_, at) => at0(beta, at) / at0(spreads, at));
  const bias =
    at0(beta, names.length) - weights.reduce((sum, w, at) => sum + w * at0(means, at), 0);
  return { bias, weights: byName(names, (at) => at0(weights, at)) };
}

function byName<Name extends string>(
  names: readonly Name[],
  weightAt: (at: number) => number,
): Record<Name, number> {
  return Object.fromEntries(names.map((name, at) => [name, weightAt(at)])) as Record<Name, number>;
}

function newton(beta: readonly number[], rows: readonly number[][], examples: readonly Example[]) {
  const size = beta.length;
  const gradient = beta.map((value, at) => (at < size - 1 ? RIDGE * value : 0));
  const hessian = beta.map((_, i) => beta.map((__, j) => (i === j ? RIDGE : 0)));
  rows.forEach((row, n) => {
    const example = examples[n] as Example;
    const p = 1 / (1 + Math.exp(-row.reduce((sum, value, at) => sum + value * at0(beta, at), 0)));
    const slope = example.weight * p * (1 - p);
    for (let i = 0; i < size; i++) {
      gradient[i] = at0(gradient, i) + example.weight * (p - example.label) * at0(row, i);
      const line = hessian[i] as number[];
      for (let j = 0; j < size; j++) line[j] = at0(line, j) + slope * at0(row, i) * at0(row, j);
    }
  });
  const change = solve(hessian, gradient);
  return beta.map((value, at) => value - at0(change, at));
}

/** Gaussian elimination; the ridge keeps the matrix positive definite, so no pivoting is needed. */
function solve(matrix: readonly number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, at0(right, at)]);
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    const pivot = rows[i] as number[];
    for (let k = 0; k < size; k++) {
      if (k === i) continue;
      const row = rows[k] as number[];
      const factor = at0(row, i) / at0(pivot, i);
      for (let j = i; j <= size; j++) row[j] = at0(row, j) - factor * at0(pivot, j);
    }
  }
  return rows.map((row, at) => at0(row, size) / at0(row, at));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function at0(values: readonly number[], at: number): number {
  return values[at] ?? 0;
}
