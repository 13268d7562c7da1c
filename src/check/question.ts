// A question that a search should find something for, and what counts as found.
import { createHash } from "node:crypto";
import type { Passage } from "../domain/passage.ts";
import { keysOf, words } from "../text/words.ts";

export const QUESTION_KINDS = ["pinned", "heading", "definition", "cell", "sentence"] as const;

export interface Question {
  readonly id: string;
  readonly question: string;
  /** Pinned by a person, or what it was made from. */
  readonly kind: (typeof QUESTION_KINDS)[number];
  readonly documentId: string;
  readonly filename: string;
  /** Words that the passage must have; without them any passage of the document counts. */
  readonly phrase?: string;
}

/** One question about one place is the same question, however often it is asked for. */
export function toQuestion(asked: Omit<Question, "id">): Question {
  const { question, documentId, phrase = "" } = asked;
  const hash = createHash("sha256").update(JSON.stringify([question, documentId, phrase]));
  return { id: hash.digest("hex").slice(0, 12), ...asked };
}

// A file that is read again may lose a word or gain one.
const SHARE = 0.8;

type Text = Pick<Passage, "text" | "headings"> & { readonly tableHeader?: string };

/** The same words elsewhere are as good, because copies are shown once. */
export function openMatch({ documentId, phrase }: Question) {
  const wanted = phrase === undefined ? undefined : keysOf(words(phrase));
  const hasWords = ({ text, headings, tableHeader = "" }: Text) =>
    wanted === undefined ||
    isAmong(wanted, keysOf(words([...headings, tableHeader, text].join("\n"))));
  /** Chunks may be shorter than the phrase after a change. */
  const isPart = ({ text }: Text) => wanted !== undefined && isAmong(keysOf(words(text)), wanted);
  return {
    hasWords: (chunk: Text) => hasWords(chunk) || isPart(chunk),
    matches(passage: Passage): boolean {
      if (passage.documentId === documentId) return hasWords(passage) || isPart(passage);
      return wanted !== undefined && hasWords(passage);
    },
  };
}

function isAmong(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  const shared = [...some].filter((key) => all.has(key)).length;
  return shared > 0 && shared >= some.size * SHARE;
}
