// Treats "5-level" as one word, because a 5 elsewhere in the sentence has nothing to do with levels.
import type { Word } from "../../text/words.ts";

/** The key of a number joined with the key of its word. */
function toKey(number: Word, word: Word): string {
  return `${number.key}-${word.key}`;
}

function isJoined(text: string, number: Word, word: Word | undefined, by: RegExp): word is Word {
  if (!word || !number.number || !/^\p{L}/u.test(word.text)) return false;
  return by.test(text.slice(number.end, word.start));
}

/** The question's words; compounds get separate keys. */
export function withCompounds(text: string, found: readonly Word[]): readonly Word[] {
  return found.map((word, at) => {
    const next = found[at + 1];
    return isJoined(text, word, next, /^[-‐‑]$/u) ? { ...word, key: toKey(word, next) } : word;
  });
}

/** Keys of all possible compounds in a sentence, with or without a hyphen. */
export function compoundKeys(text: string, found: readonly Word[]): readonly string[] {
  return found.flatMap((word, at) => {
    const next = found[at + 1];
    return isJoined(text, word, next, /^[-‐‑]?\s?$/u) ? [toKey(word, next)] : [];
  });
}
