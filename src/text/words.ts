// Words with their places. English is cut by a pattern, Japanese by Intl.Segmenter.

import { stem } from "./english/porter.ts";
import { FUNCTION_WORDS } from "./english/stop-words.ts";
import { isHiraganaOnly, isJapanese } from "./scripts.ts";
import { segmenter } from "./segmenters.ts";

export interface Word {
  readonly text: string;
  /** What two forms of one word have in common: lower case, NFKC, without the common endings. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** Carries meaning: neither a function word nor a lone particle. */
  readonly content: boolean;
  /** Holds a digit, or is a number's name. */
  readonly number: boolean;
  /** Upper case where no sentence starts. */
  readonly proper: boolean;
}

const WORD = /\p{N}+(?:[.,]\p{N}+)*(?:st|nd|rd|th|s)?|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)*/gu;
const NUMBER_NAMES = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((name, value) => [name, String(value)]),
);
const LETTERS = /^[a-z]+$/;

export function words(text: string): readonly Word[] {
  return isJapanese(text) ? segmented(text) : matched(text, 0);
}

function segmented(text: string): Word[] {
  const found: Word[] = [];
  for (const { segment, index, isWordLike } of segmenter("word").segment(text)) {
    if (!isWordLike) continue;
    if (isJapanese(segment)) found.push(toWord(segment, index, false));
    else found.push(...matched(segment, index));
  }
  return found;
}

function matched(text: string, offset: number): Word[] {
  const found: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    found.push(toWord(match[0], match.index + offset, !startsSentence(text, match.index)));
  }
  return found;
}

function startsSentence(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /\s/.test(text.charAt(before))) before--;
  return before < 0 || /[.!?:"“(]/.test(text.charAt(before));
}

const ASCII = /^[\0-\x7f]*$/;

/** Most words are plain letters, which need no normalising. */
function toLower(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").toLowerCase().replaceAll("’", "'");
}

function isNumber(lower: string): boolean {
  return (!LETTERS.test(lower) && /\p{N}/u.test(lower)) || NUMBER_NAMES.has(lower);
}

function toWord(text: string, start: number, inside: boolean): Word {
  const lower = toLower(text);
  const number = isNumber(lower);
  return {
    text,
    key: number ? numberKey(lower) : stemOf(lower),
    start,
    end: start + text.length,
    content:
      !FUNCTION_WORDS.has(lower.endsWith("'s") ? lower.slice(0, -2) : lower) &&
      !isHiraganaOnly(lower),
    number,
    proper: (inside || /^\p{Lu}{2,}/u.test(text)) && /^\p{Lu}/u.test(text),
  };
}

export function keysOf(found: readonly Word[]): ReadonlySet<string> {
  return new Set(found.map(({ key }) => key));
}

function numberKey(lower: string): string {
  const named = NUMBER_NAMES.get(lower);
  return named ?? lower.replace(/(?<=\d),(?=\d{3})/g, "").replace(/(?<=\d)(?:st|nd|rd|th|s)$/, "");
}

/** What the forms of one word share; words of other alphabets stay as they are. */
export function stemOf(lower: string): string {
  const word = lower.replace(/'s?$/, "");
  return LETTERS.test(word) ? stem(word) : word;
}
