// Words with their places. English is cut by a pattern, Japanese by Intl.Segmenter.
import { isHiraganaOnly, isJapanese } from "./scripts.ts";

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

const SEGMENTER = new Intl.Segmenter("ja", { granularity: "word" });
const WORD = /\p{N}+(?:[.,]\p{N}+)*(?:st|nd|rd|th|s)?|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)*/gu;
const NUMBER_NAMES = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((name, value) => [name, String(value)]),
);
const FUNCTION_WORDS = new Set(
  (
    "a an the this that these those it its he him his she her they them their we us our you your i my me " +
    "is are was were be been being am do does did done has have had having will would can could shall should may might must " +
    "of in on at by for from to with into onto upon about as and or but nor so than then there here if because while " +
    "what which who whom whose when where why how s t not no any some such also very just only more most much many " +
    "besides during after before between among through over under out up down off again each other own same too both"
  ).split(" "),
);

export function words(text: string): readonly Word[] {
  return isJapanese(text) ? segmented(text) : matched(text, 0);
}

function segmented(text: string): Word[] {
  const found: Word[] = [];
  for (const { segment, index, isWordLike } of SEGMENTER.segment(text)) {
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

function toWord(text: string, start: number, inside: boolean): Word {
  const lower = text.normalize("NFKC").toLowerCase().replaceAll("’", "'");
  const number = /\p{N}/u.test(lower) || NUMBER_NAMES.has(lower);
  return {
    text,
    key: number ? numberKey(lower) : stem(lower),
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

/** Cuts endings until related forms meet; it need not give a word. */
export function stem(lower: string): string {
  let word = lower.replace(/'s?$/, "").replace(/'s$/, "");
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  word = word.replace(/(?<=..)(?:ies|ied)$/, "y").replace(/(?<=[sxz]|[cs]h)es$/, "");
  word = word.replace(/(?<=[^su])s$/, "");
  const base = word.replace(/(?:ing|ed)$/, "");
  if (/[aeiouy]/.test(base)) word = base;
  word = word.replace(
    /(?<=...)(?:ation|ition|ment|ness|ance|ence|ity|ive|ion|ous|ally|ly|al|or|er)$/,
    "",
  );
  return word
    .replace(/([^aeiouls])\1$/, "$1")
    .replace(/(?<=...)[ey]$/, "")
    .replace(/(?<=...)i$/, "");
}
