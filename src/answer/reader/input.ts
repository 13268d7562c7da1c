// What the reader sees of a passage: the pieces of its headings, then those of its text, each with its sentence.
import type { Passage } from "../../domain/passage.ts";
import { type Sentence, sentences } from "../../text/sentences.ts";

/** The pieces of the light encoder's table, with where each lies in the text. */
export type Locate = (text: string) => {
  readonly pieces: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
};

export interface PassagePieces {
  readonly sentences: readonly Sentence[];
  readonly pieces: readonly number[];
  /** For each piece, the sentence that it is in; CONTEXT for headings, which are never an answer. */
  readonly sentenceOf: readonly number[];
  /** For each piece, where it is in the passage's text. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export type ReadablePassage = Pick<Passage, "text" | "title" | "headings" | "tableHeader">;

export const CONTEXT = -1;
export const MAX_QUESTION_PIECES = 40;
/** A question in the text is not an answer, and what follows it may be. */
const ASKS = /[?？]["'”’)）」』\]*_\s]*$|(?:です|ます|でしょう)か。?$/u;
const MAX_CONTEXT_PIECES = 28;
const MAX_PIECES = 256;

export function toPieces(passage: ReadablePassage, locate: Locate): PassagePieces {
  const own = sentences(passage.text);
  const context = locate(contextOf(passage)).pieces.slice(0, MAX_CONTEXT_PIECES);
  const pieces = [...context];
  const sentenceOf = context.map(() => CONTEXT);
  const starts = context.map(() => 0);
  const ends = context.map(() => 0);
  for (const [number, { text, start, kind }] of own.entries()) {
    const found = locate(text);
    const isContext = kind === "heading" || kind === "head" || ASKS.test(text);
    for (const [at, piece] of found.pieces.entries()) {
      if (pieces.length >= MAX_PIECES) break;
      pieces.push(piece);
      sentenceOf.push(isContext ? CONTEXT : number);
      starts.push(start + (found.starts[at] as number));
      ends.push(start + (found.ends[at] as number));
    }
  }
  return { sentences: own, pieces, sentenceOf, starts, ends };
}

/** The title and headings that the text itself does not say, and the names of a table's columns. */
function contextOf({ text, title, headings, tableHeader }: ReadablePassage): string {
  const opening = text.slice(0, 400);
  const above = [...new Set([title ?? "", ...headings])].filter((each) => !opening.includes(each));
  const columns = tableHeader?.split("\n", 1) ?? [];
  return [...above, ...columns].join("\n");
}
