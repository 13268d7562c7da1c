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
export function words(text: string): readonly Word[] {
  return isJapanese(text) ? segmented(text) : matched(text, 0);
}

/** Cuts between words, so that a part is split into the same words as the whole. */
const STRETCH = /[^\n。！？、「」（）]+/gu;

/** The keys in `wanted` that occur as words in `text`; other words are only skimmed. */
export function keysAmong(text: string, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const initials = initialsOf(wanted);
  for (const [stretch] of text.matchAll(STRETCH)) {
    if (!isJapanese(stretch)) for (const word of stretch.matchAll(WORD)) keep(word[0]);
    else if (mayHold(toLower(stretch), wanted))
      for (const word of segmented(stretch)) keep(word.text);
  }
  return found;

  function keep(word: string): void {
    if (!initials.has(word.charAt(0).toLowerCase()) && word.charCodeAt(0) < 0x80) return;
    const key = toKey(toLower(word));
    if (wanted.has(key)) found.add(key);
  }
}

/** Stems keep a word's first letter; a number may be written as its name. */
function initialsOf(keys: ReadonlySet<string>): ReadonlySet<string> {
  const named = [...NUMBER_NAMES].filter(([, value]) => keys.has(value)).map(([name]) => name);
  return new Set([...keys, ...named].map((key) => key.charAt(0)));
}

/** Cutting Japanese takes a dictionary: only where one of the keys, or the beginning of a stem, is written. */
function mayHold(lower: string, wanted: ReadonlySet<string>): boolean {
  return [...wanted].some((key) =>
    isJapanese(key) ? lower.includes(key) : lower.includes(key.charAt(0)),
  );
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

function toLower(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll("’", "'");
}

function isNumber(lower: string): boolean {
  return /\p{N}/u.test(lower) || NUMBER_NAMES.has(lower);
}

function toKey(lower: string): string {
  return isNumber(lower) ? numberKey(lower) : stemOf(lower);
}

function toWord(text: string, start: number, inside: boolean): Word {
  const lower = toLower(text);
  const number = isNumber(lower);
  return {
    text,
    key: number ? numberKey(lower) : stemOf(lower),
    start,
    end: start + text.length,
    content: !FUNCTION_WORDS.has(lower.replace(/'s$/, "")) && !isHiraganaOnly(lower),
    number,
    proper: (inside || /^\p{Lu}{2,}/u.test(text)) && /^\p{Lu}/u.test(text),
  };
}

function numberKey(lower: string): string {
  const named = NUMBER_NAMES.get(lower);
  return named ?? lower.replace(/(?<=\d),(?=\d{3})/g, "").replace(/(?<=\d)(?:st|nd|rd|th|s)$/, "");
}

/** What the forms of one word share; words of other alphabets stay as they are. */
export function stemOf(lower: string): string {
  const word = lower.replace(/'s?$/, "");
  return /^[a-z]+$/.test(word) ? stem(word) : word;
}
