// The relevance shown to people and models, read off the fused score. docs/relevance.md says how it was made.
import type { Strength } from "../domain/passage.ts";

// Where relevant passages part from the best that queries about something else find.
const MIDDLE = 0.28;
const SLOPE = 12;

/** 0 to 1, rising with the fused score: it never reorders a list. */
export function toRelevance(fused: number): number {
  return 1 / (1 + Math.exp(-SLOPE * (fused - MIDDLE)));
}

// Most right first hits are above the first; nine in ten of what off-topic questions find are below the second.
const STRONG = 0.8;
const FAIR = 0.5;

export function toStrength(relevance: number): Strength {
  if (relevance >= STRONG) return "strong";
  return relevance >= FAIR ? "fair" : "weak";
}
