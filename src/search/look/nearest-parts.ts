// How near the nearest sentence and the nearest words of a passage are: one vector for a whole passage blurs what only a
// part of it says.
import type { Light } from "../../embed/embed.ts";

/** The meaning scores of passages in the question's language, best candidates first. */
export interface Closer {
  /** How many of the best it looks at. */
  readonly candidates: number;
  /** Their scores with their sentences considered, in the order given. */
  meanings(passages: readonly Meant[]): readonly number[];
}

interface Meant {
  readonly text: string;
  /** The meaning score of the whole. */
  readonly vector: number;
}

/** In scripts without spaces, weights within the meaning score: of the nearest sentence, and of the nearest pieces in one. */
const UNSPACED = { sentence: 0.3, pieces: 0.3, candidates: 20, end: /[。．！？!?\n]+/u };
/** In languages other than English, the weight of the nearest pieces of the whole passage. */
const SPACED = { pieces: 0.15, candidates: 20 };
/**
 * In English, weight of how much nearer the nearest sentence is than all of them. A shorter one is a label or a cell: it is
 * near a question only because it says so little. Comparing sentences takes most of the time here, and candidates
 * further down would not rise far enough.
 */
const ENGLISH = { weight: 0.3, candidates: 8, end: /[!?\n]+|(?<=\.)\s+/u, shortest: 30 };

/** For a question in a script without spaces. */
export function openUnspaced(question: string, light: Light): Closer {
  const { candidates, sentence, pieces, end } = UNSPACED;
  const asked = light.encode(question);
  const nearest = (part: string) => dot(asked, light.encode(part));
  return {
    candidates,
    meanings(passages) {
      const read = passages.map(({ text }) => partsOf(text, end));
      const near = read.map((parts) => Math.max(0, ...parts.map(nearest)));
      const held = toHeld(question, read, light);
      return passages.map(
        ({ vector }, at) =>
          (1 - sentence - pieces) * vector +
          sentence * (near[at] as number) +
          pieces * (held[at] as number),
      );
    },
  };
}

/** For a question in a language with spaces other than English. Its sentences mislead: German and Italian lose by them. */
export function openSpaced(question: string, light: Light): Closer {
  const { candidates, pieces } = SPACED;
  return {
    candidates,
    meanings(passages) {
      const whole = passages.map(({ text }) => [text]);
      const held = toHeld(question, whole, light);
      return passages.map(
        ({ vector }, at) => (1 - pieces) * vector + pieces * (held[at] as number),
      );
    },
  };
}

/**
 * For each passage, given by its parts: how near the pieces of one part are to those of the question. A piece counts by how
 * much it says and how rare it is among the passages.
 */
function toHeld(
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

/** How rare each piece of the question is among the passages; one that has a similar piece counts in part. */
function toRarities(
  passages: readonly (readonly Float32Array[])[],
  count: number,
): readonly number[] {
  return Array.from({ length: count }, (_, at) => {
    const holding = passages.reduce(
      (sum, parts) => sum + Math.max(0, ...parts.map((part) => part[at] as number)),
      0,
    );
    return Math.log(1 + (passages.length - holding + 0.5) / (holding + 0.5));
  });
}

/** The model says more about a whole passage. What it misses is one sentence that is nearer than the rest. */
export function openEnglish(excessOf: (passage: string) => number): Closer {
  const { candidates, weight } = ENGLISH;
  return {
    candidates,
    meanings: (passages) => passages.map(({ text, vector }) => vector + weight * excessOf(text)),
  };
}

/** What a passage's sentences are compared by. */
interface Sentences {
  /** Of those that are long enough. */
  readonly vectors: readonly Float32Array[];
  /** All together, the longer the more. */
  readonly all: Float32Array;
  readonly length: number;
}

/** By passage, the last ones that were compared: the next question is often about the same ones. */
export type KnownSentences = Map<string, Sentences>;

// Two megabytes. A passage of more sentences is a table of which each row takes as much.
const MOST_KNOWN = 256;
const MOST_SENTENCES = 16;

/** How much nearer to an English question the nearest sentence of a passage is than all of them together. */
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
    keep(known, passage, { vectors, all, length });
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

/** As the last; the first goes. */
function keep(known: KnownSentences, passage: string, sentences: Sentences): void {
  if (sentences.vectors.length > MOST_SENTENCES) return;
  known.delete(passage);
  known.set(passage, sentences);
  const [first] = known.size > MOST_KNOWN ? known.keys() : [];
  if (first !== undefined) known.delete(first);
}

function partsOf(passage: string, end: RegExp): readonly string[] {
  return passage.split(end).filter((sentence) => sentence.trim() !== "");
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
