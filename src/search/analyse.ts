// The one analyser: text → terms, the same for what is stored and what is asked.
//
//   "The CR4.LA57 bits"   → cr4.la57 → cr4la57 cr4 la57 · bit          identifiers: whole, and by parts
//   "openEmbed"           → openemb · open emb(ed)
//   "資料が見つからない"    → 資料 見                                     Japanese: words, cut to their stem
import { stem } from "./porter.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** Part of what stored terms depend on: a change to this room's terms changes it, and makes them stale. */
export const ANALYSER = "analyse-1";

/** Terms hold letters, digits and marks, never white space. In the text's order, repeats kept. */
export type Analyse = (text: string) => string[];

// Scripts written without spaces. The long-vowel mark belongs to kana but has no script of its own.
const UNSPACED =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
const LETTER = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])`;
const TOKEN = new RegExp(
  `([${UNSPACED}]+)|(${LETTER}(?:\\+\\+|#)(?!${LETTER})|${LETTER}+(?:[-._/\\\\:@#&+,'’]${LETTER}+)*)`,
  "gu",
);
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_WORD = /^[a-z]+$/;
const GROUPED_NUMBER = /^\d{1,3}(,\d{3})+$/;
const NUMERIC = /^[\d\p{P}]+$/u;
const CONTRACTION = /['’](s|t|re|ve|ll|d|m)$/i;
const CAMEL = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const SEPARATOR = /[-._/\\:@#&+,'’]/;
// Keys and hashes are still found by their first characters; more would only swell the index.
const LONGEST_TERM = 64;

export function openAnalyse(): Analyse {
  const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
  return (text) => {
    const terms: string[] = [];
    const push = (term: string) => terms.push(term.slice(0, LONGEST_TERM));
    const normal = ASCII.test(text) ? text : text.normalize("NFKC");
    for (const [, unspaced, token] of normal.matchAll(TOKEN)) {
      if (unspaced !== undefined) addUnspaced(unspaced, segmenter, push);
      else if (token !== undefined) addToken(token, push);
    }
    return terms;
  };
}

function addToken(token: string, push: (term: string) => void): void {
  if (GROUPED_NUMBER.test(token)) return push(token.replaceAll(",", ""));
  const bare = token.replace(CONTRACTION, "");
  const parts = bare.split(SEPARATOR).flatMap((part) => part.split(CAMEL));
  if (parts.length === 1 || /^.(\+\+|#)$/u.test(bare)) return addWord(bare, push);
  if (NUMERIC.test(bare)) {
    // Dates and versions: the whole keeps its marks, so that 1.12 is not 112.
    push(bare);
    for (const part of parts) if (part.length > 1) push(part);
    return;
  }
  addWord(parts.join(""), push);
  for (const part of parts) addWord(part, push);
}

function addWord(word: string, push: (term: string) => void): void {
  const lower = word.toLowerCase();
  const folded = ASCII.test(lower) ? lower : lower.normalize("NFD").replace(/\p{M}/gu, "");
  if (folded === "" || STOP_WORDS.has(folded)) return;
  push(ASCII_WORD.test(folded) ? stem(folded) : folded);
}

const HIRAGANA_ONLY = /^[\p{sc=Hiragana}ー]+$/u;
const OKURIGANA = /^([\p{sc=Han}々]+)[\p{sc=Hiragana}]+$/u;
const LONG_VOWEL_END = /^([\p{sc=Katakana}ー]{3,})ー$/u;

function addUnspaced(run: string, segmenter: Intl.Segmenter, push: (term: string) => void): void {
  for (const { segment, isWordLike } of segmenter.segment(run)) {
    if (!isWordLike || HIRAGANA_ONLY.test(segment)) continue;
    push(segment.replace(OKURIGANA, "$1").replace(LONG_VOWEL_END, "$1"));
  }
}
