// The analyser: text → terms, the same for stored text and for queries.
//
//   "The CR4.LA57 bits"   → cr4.la57 → cr4la57 cr4 la57 · bit          identifiers: whole, and by parts
//   "openEmbed"           → openemb open emb                            stems, by Porter
//   "資料が見つからない"    → 資料 見                                     Japanese: words, cut to their stem
//   "학교에서"             → 학교                                       Korean: without particles
import { Cache } from "../domain/cache.ts";
import { stem } from "./english/porter.ts";
import { STOP_WORDS } from "./english/stop-words.ts";
import { isHiraganaOnly, UNSPACED } from "./scripts.ts";
import { segmenter } from "./segmenters.ts";

export interface Analyser {
  /** The version of the rules below; terms made by another version are stale. */
  readonly fingerprint: string;
  /** In the text's order, repeats kept; letters, digits and marks, never white space. */
  terms(text: string): string[];
}

const LETTER = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])`;
const TOKEN = new RegExp(
  `([${UNSPACED}]+)|(${LETTER}(?:\\+\\+|#)(?!${LETTER})|${LETTER}+(?:[-._/\\\\:@#&+,'’]${LETTER}+)*)`,
  "gu",
);
const ASCII = /^\p{ASCII}*$/u;
const ASCII_WORD = /^[a-z]+$/;
const GROUPED_NUMBER = /^\d{1,3}(,\d{3})+$/;
const NUMERIC = /^[\d\p{P}]+$/u;
const CONTRACTION = /['’](s|t|re|ve|ll|d|m)$/i;
const CAMEL = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const MARKED_LETTER = /^.(\+\+|#)$/u;
const PLAIN = /^[A-Za-z]?[a-z]+$/;
const SEPARATOR = /[-._/\\:@#&+,'’]/;
// Enough to find keys and hashes by their first characters; more would only bloat the index.
const MAX_TERM_LENGTH = 64;
const KNOWN_STEMS = 20_000;
// Korean writes particles onto the noun: 학교에서 (at the school), 학교를 (the school, as an object) → 학교.
const KOREAN_PARTICLE =
  /^([가-힣]{2,}?)(?:에서[는도]|으로[는서써]|에게서|이?라[는고]|에[는도]|에서|에게|으로|까지|부터|이나|처럼|보다|[은는이가을를의에로와과도만])$/u;

export function openAnalyser(): Analyser {
  const stems = openStems();
  return {
    fingerprint: "analyse-3",
    terms(text) {
      const terms: string[] = [];
      const push = (term: string) => terms.push(term.slice(0, MAX_TERM_LENGTH));
      const addWord = (word: string) => {
        const term = stems(word);
        if (term !== "") push(term);
      };
      const normal = ASCII.test(text) ? text : text.normalize("NFKC");
      for (const [, unspaced, token] of normal.matchAll(TOKEN)) {
        if (unspaced !== undefined) addUnspaced(unspaced, push);
        else if (token !== undefined && PLAIN.test(token)) addWord(token);
        else if (token !== undefined) addToken(token, push, addWord);
      }
      return terms;
    },
  };
}

/** A word's term; empty for stop words. Stemming is most of an analysis, and texts repeat their words. */
function openStems(): (word: string) => string {
  const known = new Cache<string, string>(KNOWN_STEMS);
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const lower = word.toLowerCase().replace(KOREAN_PARTICLE, "$1");
    const folded = ASCII.test(lower) ? lower : lower.normalize("NFD").replace(/\p{M}/gu, "");
    const stemmed = ASCII_WORD.test(folded) ? stem(folded) : folded;
    const term = STOP_WORDS.has(folded) ? "" : stemmed;
    known.set(word, term);
    return term;
  };
}

type Push = (term: string) => void;

function addToken(token: string, push: Push, addWord: Push): void {
  const bare = token.replace(CONTRACTION, "");
  const parts = bare.split(SEPARATOR).flatMap((part) => part.split(CAMEL));
  if (parts.length === 1 || MARKED_LETTER.test(bare)) addWord(bare);
  else if (GROUPED_NUMBER.test(bare)) push(parts.join(""));
  else if (NUMERIC.test(bare)) {
    // Dates and versions: the whole keeps its marks, so that 1.12 is not 112.
    push(bare);
    for (const part of parts) if (part.length > 1) push(part);
  } else {
    addWord(parts.join(""));
    for (const part of parts) addWord(part);
  }
}

const OKURIGANA = /^([\p{sc=Han}々]+)[\p{sc=Hiragana}]+$/u;
const LONG_VOWEL_END = /^([\p{sc=Katakana}ー]{3,})ー$/u;

function addUnspaced(run: string, push: Push): void {
  for (const { segment, isWordLike } of segmenter("word").segment(run)) {
    if (!isWordLike || isHiraganaOnly(segment)) continue;
    push(segment.replace(OKURIGANA, "$1").replace(LONG_VOWEL_END, "$1"));
  }
}
