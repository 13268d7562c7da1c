// Merges two lists. Both scores are absolute (a share of the best possible, a cosine), so they are added directly;
// ranks would lose how certain each side is.
import type { ScoreParts } from "../domain/passage.ts";
import type { EncoderName } from "../embed/embed.ts";
import type { Hit } from "../store/store.ts";

export interface Fusion {
  /** Every chunk that either side found, by the highest score it can get once its language is known; best first. */
  readonly hits: readonly Hit[];
  /** Each side's score of a chunk. */
  readonly parts: ReadonlyMap<number, ScoreParts>;
  /** What a side scores a chunk at most that it did not find. */
  readonly bounds: Bounds;
}

export interface Sides {
  readonly words: readonly Hit[];
  readonly vectors: readonly Hit[];
  /** How many hits each side was asked for. */
  readonly limit: number;
}

/** The encoder of the question, and that of the passage. */
export interface Encoders {
  readonly query: EncoderName;
  readonly passage: EncoderName;
}

export interface Weights {
  readonly words: number;
  readonly vector: number;
}

/** Weights of words and vectors by the encoders of question and passage, chosen by bench/weights.ts. */
export const WEIGHTS: Readonly<Record<EncoderName, Readonly<Record<EncoderName, Weights>>>> = {
  model: {
    model: { words: 0.6, vector: 0.4 },
    // English words in a text of another language are mostly names and commands, so they count less.
    light: { words: 0.2, vector: 0.8 },
  },
  light: {
    // Across languages few words can be shared, so meaning is scaled up to mean the same. Words are not: an English
    // passage in a text of the question's language shares names with it.
    model: { words: 0.6, vector: 0.72 },
    light: { words: 0.5, vector: 0.5 },
  },
};

/** Without vectors the words are all there is. */
export function blend(words: number, vector: number | undefined, weights: Weights): number {
  return vector === undefined ? words : weights.words * words + weights.vector * vector;
}

/** Comparing words one by one raises scores by about this much, also those of passages on other subjects. */
const RAISED = 0.02;

/** The score of a passage that was looked at. It means the same in every language. */
export function scoreOf(words: number, vector: number | undefined, encoders: Encoders): number {
  const { query, passage } = encoders;
  const score = blend(words, vector, WEIGHTS[query][passage]);
  return vector === undefined || query === "model" ? score : score - RAISED;
}

export function fuse(sides: Sides, query: EncoderName): Fusion {
  const parts = partsIn(sides);
  const bounds = boundsOf(sides);
  const weights = Object.values(WEIGHTS[query]);
  const hits: Hit[] = [];
  for (const [key, each] of parts) {
    const { lexical, vector } = filled(each, bounds);
    let score = Number.NEGATIVE_INFINITY;
    for (const weight of weights) score = Math.max(score, blend(lexical, vector, weight));
    hits.push({ key, score });
  }
  return { hits: hits.sort((a, b) => b.score - a.score || a.key - b.key), parts, bounds };
}

function partsIn({ words, vectors }: Sides): ReadonlyMap<number, ScoreParts> {
  const parts = new Map<number, ScoreParts>();
  for (const [rank, { key, score }] of words.entries()) {
    parts.set(key, { lexical: score, lexicalRank: rank + 1 });
  }
  for (const [rank, { key, score }] of vectors.entries()) {
    const found = { vector: score, vectorRank: rank + 1 };
    const byWords = parts.get(key);
    parts.set(key, byWords ? { ...byWords, ...found } : found);
  }
  return parts;
}

export interface Bounds {
  readonly lexical: number;
  readonly vector: number | undefined;
}

/** What a full list left out scores at most its last hit; what a short list left out matches nothing. */
export function boundsOf({ words, vectors, limit }: Sides): Bounds {
  return {
    lexical: words.length < limit ? 0 : (words.at(-1)?.score ?? 0),
    vector: vectors.at(-1)?.score,
  };
}

export function filled({ lexical, vector }: ScoreParts, bounds: Bounds) {
  return { lexical: lexical ?? bounds.lexical, vector: vector ?? bounds.vector };
}
