// Where a query's words appear in a text: what the command line and the console mark, and where a long text is cut.

import { STOP_WORDS } from "./english/stop-words.ts";
import { isHiraganaOnly, UNSPACED } from "./scripts.ts";
import { segmenter } from "./segmenters.ts";

export interface Highlight {
  readonly start: number;
  readonly end: number;
}

const LETTER = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}])`;
// "5-level", "cr4.la57" and "C++" are one word each.
const RUN = new RegExp(`[${UNSPACED}]+|${LETTER}+(?:[-._/'’]${LETTER}+)*(?:\\+\\+|#)?`, "gu");
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
const OKURIGANA = /^([\p{sc=Han}々]{2,})\p{sc=Hiragana}+$/u;
const ENDING = /(?:ing|ed|es|s)$/u;
/** A shorter stem would also mark unrelated words. */
const MIN_STEM_LENGTH = 4;
/** The longest ending that is marked with its word: "refund" marks "refunding". */
const MAX_ENDING_LENGTH = 3;

/** The query's words that carry meaning, each once; all of them where none does. */
export function queryWords(query: string): readonly string[] {
  const runs = query.match(RUN) ?? [];
  const words = runs.flatMap((run) => (STARTS_UNSPACED.test(run) ? split(run) : [run]));
  const content = words.filter(
    (word) =>
      STARTS_UNSPACED.test(word) || (word.length > 1 && !STOP_WORDS.has(word.toLowerCase())),
  );
  return [...new Set(content.length > 0 ? content : words)];
}

function split(run: string): string[] {
  return [...segmenter("word").segment(run)]
    .filter(({ segment }) => !isHiraganaOnly(segment))
    .map(({ segment }) => segment.replace(OKURIGANA, "$1"));
}

export type Highlighter = (text: string) => readonly Highlight[];

/** For many texts: building the pattern takes longer than using it. */
export function toHighlighter(query: string): Highlighter {
  const words = queryWords(query);
  if (words.length === 0) return () => [];
  const pattern = new RegExp(words.map(toPattern).join("|"), "giu");
  return (text) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
    }));
}

/** In the text's order, none overlapping another. */
export function highlights(text: string, query: string): readonly Highlight[] {
  return toHighlighter(query)(text);
}

function toPattern(word: string): string {
  if (STARTS_UNSPACED.test(word)) return word;
  const stem = word.replace(ENDING, "");
  const kept = stem.length < MIN_STEM_LENGTH ? word : stem;
  const escaped = kept.replace(/[.+/]/g, "\\$&");
  return `(?<!${LETTER})${escaped}${LETTER}{0,${MAX_ENDING_LENGTH}}`;
}
