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
const LETTERS = /^[a-z]+$/;
const INSIDE = /[\p{L}\p{M}]/u;
const FIRST = /^[\p{L}\p{M}\p{N}]+(?:'\p{L}+)*/u;

/** The keys in `wanted` that occur as words in `text`; other words are only skimmed. */
export function keysAmong(text: string, wanted: ReadonlySet<string>): ReadonlySet<string> {
  if (!isJapanese(text)) return keysInLetters(text, wanted);
  const found = new Set<string>();
  for (const [stretch] of text.matchAll(STRETCH)) {
    const open = new Set([...wanted].filter((key) => !found.has(key)));
    const keys = isJapanese(stretch) ? keysCut(stretch, open) : keysInLetters(stretch, open);
    for (const key of keys) found.add(key);
  }
  return found;
}

function keysCut(stretch: string, wanted: ReadonlySet<string>): readonly string[] {
  if (!mayHold(toLower(stretch), wanted)) return [];
  return segmented(stretch).flatMap(({ key }) => (wanted.has(key) ? [key] : []));
}

function keysInLetters(text: string, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const lower = toLower(text);
  // Full-width letters, ligatures and the like change where words end.
  const isPlain = lower.length === text.length;
  const found = new Set<string>();
  const open = new Set<string>();
  for (const key of wanted) {
    const held = isPlain && LETTERS.test(key) ? holdsWord(lower, key) : undefined;
    if (held === true) found.add(key);
    else if (held === undefined && mayBeIn(lower, key)) open.add(key);
  }
  if (open.size > 0)
    for (const [word] of text.matchAll(WORD)) {
      const key = toKey(toLower(word));
      if (open.has(key)) found.add(key);
    }
  return found;
}

/** Undefined after a digit or an apostrophe: whether a word begins there is not for this to decide. */
function holdsWord(lower: string, key: string): boolean | undefined {
  const prefix = prefixOf(key);
  for (let at = lower.indexOf(prefix); at >= 0; at = lower.indexOf(prefix, at + 1)) {
    const before = lower.charAt(at - 1);
    if (/[\p{N}']/u.test(before)) return undefined;
    if (INSIDE.test(before)) continue;
    if (toKey(FIRST.exec(lower.slice(at))?.[0] ?? "") === key) return true;
  }
  return false;
}

/** A number may be written as its name. */
function mayBeIn(lower: string, key: string): boolean {
  if (lower.includes(key.charAt(0))) return true;
  return [...NUMBER_NAMES].some(([name, value]) => value === key && lower.includes(name));
}

/** Cutting Japanese takes a dictionary: only where one of the keys, or the beginning of a stem, is written. */
function mayHold(lower: string, wanted: ReadonlySet<string>): boolean {
  return [...wanted].some((key) => {
    if (isJapanese(key)) return lower.includes(key);
    return LETTERS.test(key) ? lower.includes(prefixOf(key)) : mayBeIn(lower, key);
  });
}

/** Stems keep all but the last two letters of what a word begins with. */
function prefixOf(key: string): string {
  return key.slice(0, Math.max(1, key.length - 2));
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
    content:
      !FUNCTION_WORDS.has(lower.endsWith("'s") ? lower.slice(0, -2) : lower) &&
      !isHiraganaOnly(lower),
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
  return LETTERS.test(word) ? stem(word) : word;
}
