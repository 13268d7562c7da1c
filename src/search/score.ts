// The relevance shown to people and models: the chance that a passage answers, read off the fused score.

// Fitted by bench/retrieval.ts --calibrate over all its sets with equal weight; see docs/relevance.md.
const SLOPE = 12;
const MIDDLE = 0.45;

/** Rises with `fused`, 0 to 1, so it never reorders a list. */
export function toRelevance(fused: number): number {
  return 1 / (1 + Math.exp(-SLOPE * (fused - MIDDLE)));
}
