// A second look at the best candidates, with their text at hand: in which language is a passage, and does it hold the
// question's characters side by side. Scripts without spaces have no sure words; neighbouring characters are sure.
import type { Light, Reader } from "../embed/embed.ts";
import { UNSPACED } from "../text/scripts.ts";
import { byScore, type Candidate } from "./candidate.ts";
import { type Bounds, blend, filled, type Readers, weightsOf } from "./fuse.ts";

export interface Look {
  readonly text: string;
  readonly reader: Reader;
  readonly bounds: Bounds;
  readonly light: Light | undefined;
}

/** How common a pair of characters is, is judged by so many of the best. */
export const LOOKED = 60;
/** The character pairs' say among the words. */
const PAIRS_WEIGHT = 0.2;
// Enough to know a text's language by.
const LANGUAGE_CHARACTERS = 160;

/** What a score is made of. */
export interface Signals {
  /** 0 to about 1. */
  readonly words: number;
  readonly vector: number | undefined;
  readonly readers: Readers;
}

/** Best first, with the scores that count. */
export function lookCloser(pool: readonly Candidate[], look: Look): readonly Candidate[] {
  const signals = toSignals(pool, look);
  const rescored = pool.map((candidate, at) => {
    const { words, vector, readers } = signals[at] as Signals;
    return { ...candidate, score: blend(words, vector, weightsOf(readers)) };
  });
  return rescored.sort(byScore);
}

export function toSignals(pool: readonly Candidate[], look: Look): readonly Signals[] {
  const { text, reader: query, bounds, light } = look;
  const texts = pool.map(wholeText);
  const shareOf = toShares(text, texts.slice(0, LOOKED));
  return pool.map(({ parts, chunk }, at) => {
    const { lexical, vector } = filled(parts, bounds);
    const share = shareOf?.(texts[at] ?? "");
    const words = share === undefined ? lexical : withShare(lexical, share);
    return { words, vector, readers: { query, passage: readerOf(chunk.text, light) } };
  });
}

function withShare(lexical: number, share: number): number {
  return (1 - PAIRS_WEIGHT) * lexical + PAIRS_WEIGHT * share;
}

function readerOf(text: string, light: Light | undefined): Reader {
  return light?.reader(text.slice(0, LANGUAGE_CHARACTERS)) ?? "model";
}

function wholeText({ chunk: { document, headings, text } }: Candidate): string {
  return [document.title ?? "", ...headings, text].join("\n").normalize("NFKC");
}

/** Which share of the question's character pairs a text holds, the rare ones counting more; undefined: it has none. */
function toShares(
  question: string,
  texts: readonly string[],
): ((text: string) => number) | undefined {
  const pairs = [...characterPairs(question.normalize("NFKC"))];
  if (pairs.length === 0) return undefined;
  const weights = pairs.map((pair) => {
    const holding = texts.filter((text) => text.includes(pair)).length;
    return Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (text) =>
    pairs.reduce((sum, pair, at) => sum + (text.includes(pair) ? (weights[at] ?? 0) : 0), 0) /
    total;
}

const RUN = new RegExp(`[${UNSPACED}]{2,}`, "gu");
const HIRAGANA_PAIR = /^[\p{sc=Hiragana}ー]{2}$/u;

/** Two kana of an ending or a particle are everywhere. */
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
