// The groups of languages that the reader's probabilities are calibrated for.

/** `across`: question and passage are in different languages. */
export type LanguageGroup = "ja" | "zh" | "en" | "other" | "across";

const KANA = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;
const HAN = /\p{sc=Han}/u;
const LETTERS = /\p{L}/gu;
const LATIN = /\p{sc=Latin}/gu;
const MOSTLY = 0.5;

export function groupOf(
  query: string,
  text: string,
  encoderFor: (text: string) => "model" | "light",
): LanguageGroup {
  const [asked, own] = [languageOf(query, encoderFor), languageOf(text, encoderFor)];
  if (asked === own) return own;
  // A few names have no language, and a Japanese question may have no kana.
  const isHan = (one: LanguageGroup) => one === "ja" || one === "zh";
  if (isHan(asked) && isHan(own)) return own;
  const isLatin = (one: string) => countOf(one, LATIN) > countOf(one, LETTERS) * MOSTLY;
  if (isLatin(query) && isLatin(text) && query.split(/\s+/).length <= 4) return own;
  return "across";
}

function languageOf(text: string, encoderFor: (text: string) => "model" | "light"): LanguageGroup {
  if (KANA.test(text)) return "ja";
  if (HAN.test(text)) return "zh";
  const isLatin = countOf(text, LATIN) >= countOf(text, LETTERS) * MOSTLY;
  return isLatin && encoderFor(text) === "model" ? "en" : "other";
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
