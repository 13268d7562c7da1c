// Merges two lists. Both scores are absolute (a share of the best possible, a cosine), so they are added directly;
// ranks would lose how certain each side is.
import type { ScoreParts } from "../domain/passage.ts";
import type { EncoderName } from "../embed/embed.ts";
import type { Hit } from "../store/store.ts";

export interface Fusion {
  /** Every chunk that either side found, sorted by the highest score it can get once its language is known. */
  readonly hits: readonly Hit[];
  /** Each side's score of a chunk. */
  readonly parts: ReadonlyMap<number, ScoreParts>;
  /** The most that each side could have given a chunk that it did not return. */
  readonly bounds: Bounds;
}

export interface Sides {
  readonly words: readonly Hit[];
  readonly vectors: readonly Hit[];
  /** How many hits each side was asked for. */
  readonly limit: number;
}

export interface Encoders {
  readonly query: EncoderName;
  readonly passage: EncoderName;
}

export interface Weights {
  readonly words: number;
  readonly vector: number;
}

/** By the encoders of question and passage. Each set was left out in turn: docs/decisions/0012-light-encoder.md. */
export const WEIGHTS: Readonly<Record<EncoderName, Readonly<Record<EncoderName, Weights>>>> = {
  model: {
    model: { words: 0.6, vector: 0.4 },
    // English words in a text of another language are mostly names and commands, so they count less.
    light: { words: 0.2, vector: 0.8 },
  },
  light: {
    // Texts in different languages share few words, so meaning is scaled up to keep scores comparable. Words are not:
    // an English passage in a text of the question's language shares names with it.
    model: { words: 0.6, vector: 0.72 },
    light: { words: 0.5, vector: 0.5 },
  },
};

/** Without vectors, the word score is the whole score. */
export function blend(words: number, vector: number | undefined, weights: Weights): number {
  return vector === undefined ? words : weights.words * words + weights.vector * vector;
}

/** Comparing words one by one raises scores by about this much, even for passages on other subjects. */
const COMPARISON_BONUS = 0.02;

/** The score of a passage whose text was read. It is comparable across languages. */
export function scoreOf(words: number, vector: number | undefined, encoders: Encoders): number {
  const { query, passage } = encoders;
  const score = blend(words, vector, WEIGHTS[query][passage]);
  return vector === undefined || query === "model" ? score : score - COMPARISON_BONUS;
}

export function fuse(sides: Sides, query: EncoderName): Fusion {
  const parts = partsIn(sides);
  const bounds = boundsOf(sides);
  const weights = Object.values(WEIGHTS[query]);
  const hits: Hit[] = [];
  for (const [key, each] of parts) {
    const { lexical, vector } = withMissingScores(each, bounds);
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

/**
 * A chunk missing from a full list scores at most as much as its last hit; one missing from a short list matches
 * nothing.
 */
export function boundsOf({ words, vectors, limit }: Sides): Bounds {
  return {
    lexical: words.length < limit ? 0 : (words.at(-1)?.score ?? 0),
    vector: vectors.at(-1)?.score,
  };
}

/** The score that a side did not give is the most that it could have given. */
export function withMissingScores({ lexical, vector }: ScoreParts, bounds: Bounds) {
  return { lexical: lexical ?? bounds.lexical, vector: vector ?? bounds.vector };
}
