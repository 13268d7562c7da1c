// Scores the best candidates again, now with their text: the passage's language, how near its nearest sentence is, and in
// scripts without spaces, where word boundaries are uncertain, how many of the question's character pairs it contains.
import type { Light, Reader } from "../embed/embed.ts";
import { UNSPACED } from "../text/scripts.ts";
import { byScore, type Candidate, LOOKED, type ReaderOf } from "./candidate.ts";
import { type Bounds, blend, filled, type Readers, weightsOf } from "./fuse.ts";

export interface Look {
  readonly text: string;
  readonly reader: Reader;
  readonly bounds: Bounds;
  readonly light: Light | undefined;
  /** In whose language a passage is. */
  readonly readerOf: ReaderOf;
}

/** Weight of the character pairs within the word score. */
const PAIRS_WEIGHT = 0.2;
/** Weight of the nearest sentence within the meaning score, in scripts without spaces. */
const UNSPACED_SENTENCES = { weight: 0.5, candidates: 30, end: /[。．！？!?\n]+/u };
/**
 * In English, weight of how much nearer the nearest sentence is than all of them. A shorter one is a label or a cell: it is
 * near a question only because it says so little. Comparing sentences takes most of the time here, and candidates
 * further down would not rise far enough.
 */
const ENGLISH_SENTENCES = {
  weight: 0.3,
  candidates: 8,
  end: /[!?\n]+|(?<=\.)\s+/u,
  shortest: 30,
};
// How much of each end is used to detect the language. One end alone may be a code listing in a foreign text, or a list
// of foreign names in an English one.
const LANGUAGE_CHARACTERS = 160;

/** The parts of a score. */
export interface Signals {
  /** 0 to about 1. */
  readonly words: number;
  readonly vector: number | undefined;
  readonly readers: Readers;
}

/** Best first, with their final scores. */
export function lookCloser(pool: readonly Candidate[], look: Look): readonly Candidate[] {
  const signals = toSignals(pool, look);
  const rescored = pool.map((candidate, at) => {
    const { words, vector, readers } = signals[at] as Signals;
    return { ...candidate, score: blend(words, vector, weightsOf(readers)) };
  });
  return rescored.sort(byScore);
}

export function toSignals(pool: readonly Candidate[], look: Look): readonly Signals[] {
  const { text, reader: query, bounds, readerOf } = look;
  const shareOf = toShares(text, pool);
  const closer = toCloser(look, shareOf !== undefined);
  return pool.map(({ parts, chunk }, at) => {
    const { lexical, vector } = filled(parts, bounds);
    const share = shareOf?.(at);
    const words = share === undefined ? lexical : mixed(lexical, share, PAIRS_WEIGHT);
    const passage = readerOf(chunk.text);
    const isRead = closer !== undefined && at < closer.candidates && passage === query;
    const meaning = isRead && vector !== undefined ? closer.meaning(vector, chunk.text) : vector;
    return { words, vector: meaning, readers: { query, passage } };
  });
}

function mixed(one: number, other: number, weight: number): number {
  return (1 - weight) * one + weight * other;
}

interface Closer {
  readonly candidates: number;
  /** The meaning score with the nearest sentence, given the one without. */
  readonly meaning: (vector: number, passage: string) => number;
}

/** For passages in the question's language, as the light encoder reads both. */
function toCloser({ text, reader, light }: Look, isUnspaced: boolean): Closer | undefined {
  if (light === undefined || (reader === "light" && !isUnspaced)) return undefined;
  const asked = light.encode(text);
  if (reader === "light") {
    const { weight, candidates, end } = UNSPACED_SENTENCES;
    const nearest = (passage: string) =>
      Math.max(0, ...partsOf(passage, end).map((each) => dot(asked, light.encode(each))));
    return { candidates, meaning: (vector, passage) => mixed(vector, nearest(passage), weight) };
  }
  // The model says more about a whole passage. What it misses is one sentence that is nearer than the rest.
  const { weight, candidates } = ENGLISH_SENTENCES;
  return {
    candidates,
    meaning: (vector, passage) => vector + weight * excess(passage, asked, light),
  };
}

/** How much nearer the nearest sentence is than all of them together. */
function excess(passage: string, asked: Float32Array, light: Light): number {
  const { end, shortest } = ENGLISH_SENTENCES;
  const all = new Float32Array(asked.length);
  let nearest = 0;
  for (const sentence of partsOf(passage, end)) {
    const vector = light.encode(sentence);
    if (sentence.length >= shortest) nearest = Math.max(nearest, dot(asked, vector));
    for (let at = 0; at < all.length; at++) {
      all[at] = (all[at] as number) + sentence.length * (vector[at] as number);
    }
  }
  const length = Math.sqrt(dot(all, all));
  return length === 0 ? 0 : Math.max(0, nearest - dot(asked, all) / length);
}

function partsOf(passage: string, end: RegExp): readonly string[] {
  return passage.split(end).filter((sentence) => sentence.trim() !== "");
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

/** For one search: passages that are read while the model runs are not judged again. */
export function openReaderOf(light: Light | undefined): ReaderOf {
  const known = new Map<string, Reader>();
  return (text) => {
    const reader = known.get(text) ?? light?.reader(bothEnds(text)) ?? "model";
    known.set(text, reader);
    return reader;
  };
}

function bothEnds(text: string): string {
  if (text.length <= 2 * LANGUAGE_CHARACTERS) return text;
  return `${text.slice(0, LANGUAGE_CHARACTERS)}\n${text.slice(-LANGUAGE_CHARACTERS)}`;
}

function wholeText({ chunk: { document, headings, text } }: Candidate): string {
  return [document.title ?? "", ...headings, text].join("\n").normalize("NFKC");
}

/**
 * By a candidate's number: the share of the question's character pairs that it contains, weighted by rarity. Undefined
 * if the question has none.
 */
function toShares(
  question: string,
  pool: readonly Candidate[],
): ((number: number) => number) | undefined {
  const pairs = [...characterPairs(question.normalize("NFKC"))];
  if (pairs.length === 0) return undefined;
  const held = pool.map((candidate) => {
    const text = wholeText(candidate);
    return pairs.map((pair) => text.includes(pair));
  });
  // How common a pair is, is judged by the best.
  const judged = held.slice(0, LOOKED);
  const weights = pairs.map((_, at) => {
    const holding = judged.filter((each) => each[at]).length;
    return Math.log(1 + (judged.length - holding + 0.5) / (holding + 0.5));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (number) =>
    weights.reduce((sum, weight, at) => sum + (held[number]?.[at] ? weight : 0), 0) / total;
}

const RUN = new RegExp(`[${UNSPACED}]{2,}`, "gu");
const HIRAGANA_PAIR = /^[\p{sc=Hiragana}ー]{2}$/u;

/** Pairs of kana are mostly endings and particles, which occur everywhere. */
function characterPairs(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const [run] of text.matchAll(RUN)) {
    const characters = [...run];
    for (let at = 0; at + 1 < characters.length; at++) {
      const pair = `${characters[at]}${characters[at + 1]}`;
      if (!HIRAGANA_PAIR.test(pair)) pairs.add(pair);
    }
  }
  return pairs;
}
