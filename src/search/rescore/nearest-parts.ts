// How near the nearest sentence and the nearest words of a passage are: one vector for a whole passage blurs what only a
// part of it says.
import type { Cache } from "../../domain/cache.ts";
import { dot, type Light } from "../../embed/embed.ts";

/** Recomputes the meaning scores of passages in the question's language. */
export interface PartScorer {
  /** How many of the best candidates it reads. */
  readonly candidates: number;
  /** The new meaning scores, in the order given. */
  meanings(passages: readonly ScoredPassage[]): readonly number[];
}

interface ScoredPassage {
  readonly text: string;
  /** The meaning score of the whole passage. */
  readonly vector: number;
}

/** How much of the meaning score comes from the nearest sentence, and how much from the nearest pieces of one part. */
const WITHOUT_SPACES = { sentence: 0.3, pieces: 0.3, end: /[。．！？!?\n]+/u };
/** The pieces of the whole passage. Comparing sentences would make results worse in German and Italian. */
const WITH_SPACES = { sentence: 0, pieces: 0.15, end: undefined };
const CANDIDATES = 20;
/**
 * For English: the weight of how much nearer the nearest sentence is than all of them. Sentences below the minimum
 * length are labels or cells, which are near a question only because they say so little. Comparing sentences takes
 * most of the time here, and candidates further down would not rise far enough.
 */
const ENGLISH = { weight: 0.3, candidates: 8, end: /[!?\n]+|(?<=\.)\s+/u, shortest: 30 };

/** For languages other than English. */
export function openScorer(question: string, light: Light, isUnspaced: boolean): PartScorer {
  const { sentence, pieces, end } = isUnspaced ? WITHOUT_SPACES : WITH_SPACES;
  const asked = light.encode(question);
  const nearest = (part: string) => dot(asked, light.encode(part));
  return {
    candidates: CANDIDATES,
    meanings(passages) {
      const read = passages.map(({ text }) => (end ? partsOf(text, end) : [text]));
      const pieceScores = scorePieces(question, read, light);
      return passages.map(({ vector }, at) => {
        const parts = sentence > 0 ? (read[at] as readonly string[]) : [];
        const near = Math.max(0, ...parts.map(nearest));
        const whole = (1 - sentence - pieces) * vector;
        return whole + sentence * near + pieces * (pieceScores[at] as number);
      });
    },
  };
}

/**
 * For each passage, given as its parts: how near the pieces of its best part are to those of the question.
 * Informative pieces and those that are rare among the passages count more.
 */
function scorePieces(
  question: string,
  passages: readonly (readonly string[])[],
  light: Light,
): readonly number[] {
  const { weights, nearest } = light.compare(question);
  const compared = passages.map((parts) => parts.map(nearest));
  const rarities = toRarities(compared, weights.length);
  const says = weights.map((weight, at) => weight * (rarities[at] as number));
  const total = says.reduce((sum, each) => sum + each, 0) || 1;
  return compared.map((parts) => Math.max(0, ...parts.map((part) => dot(says, part) / total)));
}

/** How rare each piece of the question is among the passages; a passage with only a similar piece counts in part. */
function toRarities(passages: readonly (readonly Float32Array[])[], count: number) {
  return Array.from({ length: count }, (_, at) => {
    const holding = passages.reduce(
      (sum, parts) => sum + Math.max(0, ...parts.map((part) => part[at] as number)),
      0,
    );
    return Math.log(1 + (passages.length - holding + 0.5) / (holding + 0.5));
  });
}

/** The model judges a whole passage better, but misses a single sentence that is nearer than the rest. */
export function openEnglishScorer(excessOf: (passage: string) => number): PartScorer {
  const { candidates, weight } = ENGLISH;
  return {
    candidates,
    meanings: (passages) => passages.map(({ text, vector }) => vector + weight * excessOf(text)),
  };
}

/** A passage's encoded sentences. */
interface Sentences {
  /** The vectors of sentences that are long enough. */
  readonly vectors: readonly Float32Array[];
  /** The sum of all sentences' vectors, weighted by their lengths. */
  readonly all: Float32Array;
  readonly length: number;
}

/** The passages that were compared last, because the next question is often about the same ones. */
export type KnownSentences = Cache<string, Sentences>;

// A passage with more sentences is a table, whose rows would take as much memory as all others.
const MAX_SENTENCES = 16;

/** How much nearer to an English question a passage's nearest sentence is than all its sentences together. */
export function openExcessOf(
  question: string,
  light: Light,
  known: KnownSentences,
): (passage: string) => number {
  let encoded: Float32Array | undefined;
  return (passage) => {
    encoded ??= light.encode(question);
    const asked = encoded;
    const { vectors, all, length } = known.get(passage) ?? toSentences(passage, light);
    if (vectors.length <= MAX_SENTENCES) known.set(passage, { vectors, all, length });
    if (length === 0) return 0;
    const nearest = Math.max(0, ...vectors.map((vector) => dot(asked, vector)));
    return Math.max(0, nearest - dot(asked, all) / length);
  };
}

function toSentences(passage: string, light: Light): Sentences {
  const { end, shortest } = ENGLISH;
  const all = new Float32Array(light.dimensions);
  const vectors: Float32Array[] = [];
  for (const sentence of partsOf(passage, end)) {
    const vector = light.encode(sentence);
    if (sentence.length >= shortest) vectors.push(vector);
    for (let at = 0; at < all.length; at++) {
      all[at] = (all[at] as number) + sentence.length * (vector[at] as number);
    }
  }
  return { vectors, all, length: Math.sqrt(dot(all, all)) };
}

function partsOf(passage: string, end: RegExp): readonly string[] {
  return passage.split(end).filter((sentence) => sentence.trim() !== "");
}
