// The relevance shown to people and models, read off the fused score. docs/relevance.md says how it was made.

// Where relevant passages part from the best that queries about something else find.
const MIDDLE = 0.25;
const SLOPE = 12;

/** 0 to 1, rising with the fused score: it never reorders a list. */
export function toRelevance(fused: number): number {
  return 1 / (1 + Math.exp(-SLOPE * (fused - MIDDLE)));
}
