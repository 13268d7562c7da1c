// Two lists become one. Both scores are absolute (a share of the best possible, a cosine), so they are added
// as they are; ranks would throw away how sure each side is.
import type { Hit } from "../store/store.ts";

export interface Fused {
  readonly key: number;
  readonly score: number;
  readonly lexical?: number;
  readonly vector?: number;
  readonly lexicalRank?: number;
  readonly vectorRank?: number;
}

export interface Sides {
  readonly words: readonly Hit[];
  readonly vectors: readonly Hit[];
  /** How many hits each side was asked for. */
  readonly limit: number;
  /** 0 to 1: the vectors' say. */
  readonly weight?: number;
}

const VECTORS_WEIGHT = 0.4;

/** Best first. */
export function fuse({ words, vectors, limit, weight = VECTORS_WEIGHT }: Sides): readonly Fused[] {
  const found = new Map<number, Draft>();
  for (const [rank, { key, score }] of words.entries()) {
    found.set(key, { key, score: 0, lexical: score, lexicalRank: rank + 1 });
  }
  for (const [rank, { key, score }] of vectors.entries()) {
    const side = { vector: score, vectorRank: rank + 1 };
    const known = found.get(key);
    if (known) Object.assign(known, side);
    else found.set(key, { key, score: 0, ...side });
  }
  // What a full list left out scores at most its last hit; what a short list left out matches nothing.
  const leastWord = words.length < limit ? 0 : (words.at(-1)?.score ?? 0);
  const leastVector = vectors.at(-1)?.score;
  const fused = [...found.values()];
  for (const each of fused) {
    const lexical = each.lexical ?? leastWord;
    const vector = each.vector ?? leastVector;
    each.score = vector === undefined ? lexical : (1 - weight) * lexical + weight * vector;
  }
  return fused.sort((a, b) => b.score - a.score || a.key - b.key);
}

type Draft = Omit<Fused, "score"> & { score: number };
