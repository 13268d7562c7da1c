// Sequential dependence: words that are side by side in the query should be so in the passage.

export interface Pairs {
  readonly sequences: readonly (readonly string[])[];
  /** Given the numbers of the sequences that a passage holds: how much of the query's order it keeps, 0 to 1. */
  readonly share: (held: readonly number[]) => number;
}

/** A pair weighs as much as its two terms are rare. */
export function toPairs(terms: readonly string[], rarity: (term: string) => number): Pairs {
  const pairs = new Map<string, { sequence: readonly string[]; weight: number }>();
  for (const [at, term] of terms.entries()) {
    const next = terms[at + 1];
    if (next === undefined) break;
    const weight = (rarity(term) + rarity(next)) / 2;
    pairs.set(`${term} ${next}`, { sequence: [term, next], weight });
  }
  const weights = [...pairs.values()].map(({ weight }) => weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    sequences: [...pairs.values()].map(({ sequence }) => sequence),
    share: (held) => held.reduce((sum, number) => sum + (weights[number] ?? 0), 0) / (total || 1),
  };
}
