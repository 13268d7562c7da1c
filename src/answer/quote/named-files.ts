// Finds files that the question names, because passages of other files are then not meant.
import type { Passage } from "../../domain/passage.ts";
import { type Word, words } from "../../text/words.ts";
import type { Question } from "../asked/question.ts";
import type { Source } from "./read-passage.ts";
import type { ScoredSentence } from "./score-sentences.ts";

/**
 * The passage has none of the question's names, but another passage's file is named like that, so
 * that one is meant.
 */
export function isAnotherFileMeant(
  { terms }: Question,
  { source: { passage, keys } }: ScoredSentence,
  found: readonly Passage[],
): boolean {
  const names = terms.filter(({ proper }) => proper);
  const isNamed = ({ filename }: Passage) =>
    words(filename.replaceAll(/[-_.]/g, " ")).some(({ key }) => hasKey(names, key));
  if (names.length === 0 || names.some(({ key }) => keys.has(key)) || isNamed(passage))
    return false;
  return found.some(isNamed);
}

/** A picture's text may not contain its subject, but its name may: "ja-rpo-rto.png" for a question about RPO. */
export function findNamedPassage(
  { terms }: Question,
  sources: readonly Source[],
  others: readonly Passage[],
): Passage | undefined {
  const missing = terms.filter(
    ({ proper, key }) => proper && !sources.some(({ keys }) => keys.has(key)),
  );
  if (missing.length === 0) return undefined;
  const isNamed = (filename: string) => words(filename).some(({ key }) => hasKey(missing, key));
  return sources.some(({ passage }) => isNamed(passage.filename))
    ? undefined
    : others.find(({ filename }) => isNamed(filename));
}

function hasKey(terms: readonly Word[], key: string): boolean {
  return terms.some((term) => term.key === key);
}
