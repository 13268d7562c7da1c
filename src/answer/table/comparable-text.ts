// Texts in the form in which questions and tables are compared.
import { words } from "../../text/words.ts";

const ASCII = /^[\0-\x7f]*$/;

/** A text prepared for comparison with questions. */
export interface ComparableText {
  readonly keys: ReadonlySet<string>;
  readonly folded: string;
}

export function toComparable(text: string): ComparableText {
  return { keys: new Set(words(text).map(({ key }) => key)), folded: foldInPlace(text) };
}

/** Converts to lower case and half width without changing any position. */
export function foldInPlace(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return [...text]
    .map((char) => {
      const folded = char.normalize("NFKC").toLowerCase();
      return folded.length === char.length ? folded : char;
    })
    .join("");
}
