// Which scripts a text is written in. One definition of each, used by every room.

/** Kana, ideographs, Hangul and full-width forms, by UTF-16 code unit: they take two columns. */
export function isWide(code: number): boolean {
  if (code < 0x1100) return false;
  return (
    code <= 0x115f ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xa960 && code <= 0xa97c) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6)
  );
}

const JAPANESE = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u;
const HIRAGANA_ONLY = /^[\p{sc=Hiragana}ー]+$/u;

export function isJapanese(text: string): boolean {
  return JAPANESE.test(text);
}

/** Particles and endings: they appear everywhere and carry no meaning. */
export function isHiraganaOnly(text: string): boolean {
  return HIRAGANA_ONLY.test(text);
}

/**
 * The characters of scripts written without spaces, for use inside a character class. The long-vowel mark belongs to
 * kana but has no script property.
 */
export const UNSPACED =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";

const LATIN_WORD = /\p{sc=Latin}{2}/u;
const OTHER_LETTER = /(?!\p{sc=Latin})\p{L}/u;

/** Contains a word in Latin letters and letters of another script. */
export function mixesScripts(text: string): boolean {
  return LATIN_WORD.test(text) && OTHER_LETTER.test(text);
}

/** What a text is written in. Kana and ideographs count as one, because Japanese mixes them. */
const WRITING = [
  /\p{sc=Latin}/gu,
  /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/gu,
  /\p{sc=Hangul}/gu,
  /\p{sc=Cyrillic}/gu,
];
// Names and terms in another script are no second language.
const A_LANGUAGE = 0.2;

/** False if two texts are written in different scripts, and so in different languages. */
export function sharesScript(one: string, other: string): boolean {
  const letters = (text: string, of: RegExp) => text.match(of)?.length ?? 0;
  const uses = (text: string, script: RegExp) =>
    letters(text, script) > A_LANGUAGE * letters(text, /\p{L}/gu);
  const [first, second] = [one, other].map((text) => WRITING.map((script) => uses(text, script)));
  if (!first?.includes(true) || !second?.includes(true)) return true;
  return first.some((isUsed, at) => isUsed && second[at]);
}
