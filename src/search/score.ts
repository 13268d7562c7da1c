// The relevance shown to people and models, read off the fused score. docs/relevance.md says how it was made.
import type { Strength } from "../domain/passage.ts";

// The score that separates relevant passages from the best hits of off-topic queries.
const MIDDLE = 0.28;
const SLOPE = 12;

/** 0 to 1, rising with the fused score: it never reorders a list. */
export function toRelevance(fused: number): number {
  return 1 / (1 + Math.exp(-SLOPE * (fused - MIDDLE)));
}

// Most correct first hits are above the first value; nine in ten hits of off-topic questions are below the second.
const STRONG = 0.8;
const FAIR = 0.5;

export function toStrength(relevance: number): Strength {
  if (relevance >= STRONG) return "strong";
  return relevance >= FAIR ? "fair" : "weak";
}
