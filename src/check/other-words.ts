// Other words for a word, taken from the documents themselves by their meaning: people seldom ask in a document's own
// words, and a question in them would be found by words alone.
import { sharesScript } from "../text/scripts.ts";
import type { Frequencies } from "./make-questions.ts";

export type Encode = (text: string) => Float32Array;
export type OtherWord = (word: string) => string | undefined;

const MAX_VOCABULARY = 8_000;
const MIN_LETTERS = 2;
/** Words that begin alike are mostly forms of one word. */
const SAME_START = 4;
const NEAR = 0.45;

export function openOtherWords(encode: Encode, frequencies: Frequencies): OtherWord {
  const common = [...frequencies]
    .filter(([word, documents]) => documents > 1 && word.length >= MIN_LETTERS && !/\d/.test(word))
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_VOCABULARY);
  const vectors = common.map(([word]) => ({ word, vector: encode(word) }));
  const known = new Map<string, string | undefined>();
  return (asked) => {
    const word = asked.toLowerCase();
    if (!known.has(word)) known.set(word, nearest(word, encode(word), vectors));
    return known.get(word);
  };
}

interface Named {
  readonly word: string;
  readonly vector: Float32Array;
}

function nearest(word: string, vector: Float32Array, all: readonly Named[]): string | undefined {
  let best: string | undefined;
  let most = NEAR;
  for (const other of all) {
    if (isForm(word, other.word) || !sharesScript(word, other.word)) continue;
    const cosine = dot(vector, other.vector);
    if (cosine > most) [best, most] = [other.word, cosine];
  }
  return best;
}

function isForm(one: string, other: string): boolean {
  const start = Math.min(SAME_START, one.length, other.length);
  return one.slice(0, start) === other.slice(0, start);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
