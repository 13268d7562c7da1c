// Picks what is shown from a ranking: each text once, and not all from one document.
import type { Passage } from "../domain/passage.ts";
import { byScore, type Candidate, toPassage } from "./candidate.ts";
import { isNearDuplicate, type Sketch, toSketch } from "./near-duplicates.ts";
import { toRelevance } from "./score.ts";

// Each further passage of a document adds less new information. The penalty stays the same after the fourth, so in a
// knowledge base of one long document the order is that of the scores.
const FURTHER_PENALTY = 0.85;
const MAX_PENALTIES = 3;

// Scores are shown with four digits and must still differ.
const STEPS = 10_000;
// Divided, because 0.0001 has no exact binary value: 6,213 of it are 0.6213000000000001.
const inSteps = (score: number) => Math.max(0, Math.round(score * STEPS) / STEPS);

/** Expects `ranked` in order, best first. */
export function choose(ranked: readonly Candidate[], limit: number): readonly Passage[] {
  const sketches: Sketch[] = [];
  const chosen: Passage[] = [];
  let before = 1 + 1 / STEPS;
  for (const candidate of spreadDocuments(ranked)) {
    if (chosen.length === limit) break;
    const sketch = toSketch(candidate.chunk.text);
    if (sketches.some((other) => isNearDuplicate(sketch, other))) continue;
    sketches.push(sketch);
    // Relevance must decrease down the list, even where passages were reordered.
    before = Math.min(inSteps(toRelevance(candidate.score)), inSteps(before - 1 / STEPS));
    chosen.push(toPassage(candidate, before));
  }
  return chosen;
}

/** Returns the order in which passages are shown; their scores do not change. */
function spreadDocuments(ranked: readonly Candidate[]): readonly Candidate[] {
  const before = new Map<string, number>();
  const weighed = ranked.map((candidate) => {
    const { id } = candidate.chunk.document;
    const further = before.get(id) ?? 0;
    before.set(id, further + 1);
    const score = candidate.score * FURTHER_PENALTY ** Math.min(further, MAX_PENALTIES);
    return { candidate, weighed: { ...candidate, score } };
  });
  weighed.sort((a, b) => byScore(a.weighed, b.weighed));
  return weighed.map(({ candidate }) => candidate);
}
