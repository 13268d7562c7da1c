// From a ranking to what is shown: the same text once, and not one document only.
import type { StoredChunk } from "../store/store.ts";
import { isNearDuplicate, type Sketch, toSketch } from "./fold.ts";
import type { Fused } from "./fuse.ts";
import { toRelevance } from "./score.ts";

export interface Candidate {
  readonly hit: Fused;
  readonly chunk: StoredChunk;
}

export interface Chosen extends Candidate {
  readonly relevance: number;
}

// Each further passage of a document tells less that is new. After the fourth it is the same for all, so that in a
// base of one long document the order stays that of the scores.
const FURTHER = 0.9;
const MOST_FURTHER = 3;

/** `ranked` best first. */
export function choose(ranked: readonly Candidate[], limit: number): readonly Chosen[] {
  const before = new Map<string, number>();
  const spread = fold(ranked).map((candidate) => {
    const { id } = candidate.chunk.document;
    const further = before.get(id) ?? 0;
    before.set(id, further + 1);
    const score = candidate.hit.score * FURTHER ** Math.min(further, MOST_FURTHER);
    return { ...candidate, score };
  });
  spread.sort((a, b) => b.score - a.score || a.hit.key - b.hit.key);
  // A passage that others were put before is never shown as more relevant than they are.
  let least = 1;
  return spread.slice(0, limit).map(({ hit, chunk }) => {
    least = Math.min(least, toRelevance(hit.score));
    return { hit, chunk, relevance: least };
  });
}

function fold(ranked: readonly Candidate[]): readonly Candidate[] {
  const sketches: Sketch[] = [];
  return ranked.filter(({ chunk }) => {
    const sketch = toSketch(chunk.text);
    if (sketches.some((other) => isNearDuplicate(sketch, other))) return false;
    sketches.push(sketch);
    return true;
  });
}
