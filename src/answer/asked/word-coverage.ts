// How far a sentence says the words of a question: by the same word, a synonym, or a word that is close in meaning.
import { isJapanese } from "../../text/scripts.ts";
import type { Word } from "../../text/words.ts";
import { synonymGroupsOf } from "../synonyms.ts";

/** The cosine similarity of two words; their languages may differ. */
export type WordSimilarity = (one: string, other: string) => number;

export interface SentenceWords {
  readonly text: string;
  readonly words: readonly Word[];
  readonly keys: ReadonlySet<string>;
  /** The words of the headings and column names above the sentence. */
  readonly above: ReadonlySet<string>;
}

/** Cosines of the light encoder: "start" and "commence" have .5, unrelated words up to .2. */
const UNRELATED = 0.2;
const SYNONYM = 0.45;
/** The weight of a word that only means about the same. */
const ALIKE = 0.8;

/** Returns how far the sentence says each of the asked words, from 0 to 1. */
export function wordCoverage(
  asked: readonly Word[],
  sentenceWords: SentenceWords,
  wordSimilarity: WordSimilarity | undefined,
): readonly number[] {
  return asked.map((word) => coverageOf(word, sentenceWords, wordSimilarity));
}

function coverageOf(
  { key, text, number }: Word,
  sentenceWords: SentenceWords,
  wordSimilarity: WordSimilarity | undefined,
): number {
  if (
    sentenceWords.keys.has(key) ||
    sentenceWords.above.has(key) ||
    (isJapanese(text) && sentenceWords.text.includes(text))
  )
    return 1;
  // A different number means something else.
  if (number) return 0;
  const concepts = synonymGroupsOf(key);
  const isSynonym = (word: Word) =>
    synonymGroupsOf(word.key).some((each) => concepts.includes(each));
  if (concepts.length > 0 && sentenceWords.words.some(isSynonym)) return ALIKE;
  if (!wordSimilarity) return 0;
  const others = new Set(
    sentenceWords.words.filter(({ content, number }) => content && !number).map(toText),
  );
  const best = Math.max(
    0,
    ...[...others].map((other) => wordSimilarity(text.toLowerCase(), other)),
  );
  const share = (best - UNRELATED) / (SYNONYM - UNRELATED);
  return ALIKE * Math.max(0, Math.min(1, share));
}

function toText({ text }: Word): string {
  return text.toLowerCase();
}
