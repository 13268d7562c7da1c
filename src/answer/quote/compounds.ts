// "5-level" is one word: a 5 somewhere else in the sentence says nothing about levels.
import type { Word } from "../../text/words.ts";

/** A number's key together with that of the word it is joined to. */
function toKey(number: Word, word: Word): string {
  return `${number.key}-${word.key}`;
}

function isJoined(text: string, number: Word, word: Word | undefined, by: RegExp): word is Word {
  if (!word || !number.number || !/^\p{L}/u.test(word.text)) return false;
  return by.test(text.slice(number.end, word.start));
}

/** A question's words, its compounds under their own keys. */
export function withCompounds(text: string, found: readonly Word[]): readonly Word[] {
  return found.map((word, at) => {
    const next = found[at + 1];
    return isJoined(text, word, next, /^[-‐‑]$/u) ? { ...word, key: toKey(word, next) } : word;
  });
}

/** Keys of what may be a compound in a sentence, whether a hyphen joins it or not. */
export function compoundKeys(text: string, found: readonly Word[]): readonly string[] {
  return found.flatMap((word, at) => {
    const next = found[at + 1];
    return isJoined(text, word, next, /^[-‐‑]?\s?$/u) ? [toKey(word, next)] : [];
  });
}
