// What the reader says about passages that are shown without an answer, or given to a model.
import type { Passage } from "../domain/passage.ts";
import type { AnswerOutcome, Citation } from "./answer.ts";
import { toCitation } from "./citations.ts";
import { sayNothing, sayRelated } from "./phrases.ts";
import { bestOf, type ReaderResult } from "./reader/reader.ts";

// Of 130 off-topic questions and lines of gibberish on 30 real files, none had more that the reader refuses.
const SURELY_ABOUT = 0.65;

/** The outcome without an answer: the passages, unless they are not about the question. */
export function withoutAnswer(
  query: string,
  passages: readonly Passage[],
  read: ReaderResult | undefined,
  most = passages.length,
): Omit<AnswerOutcome, "kind"> {
  const isNear = isAboutQuestion(passages, read);
  return {
    answer: isNear ? sayRelated(query) : sayNothing(query),
    citations: isNear ? passages.slice(0, most).map((one) => markLikely(one, read)) : [],
    related: [],
    outcome: isNear ? "related" : "nothing",
    grounded: false,
  };
}

/** What the search is sure of is always shown; for the rest, search and reader have a common cutoff. */
function isAboutQuestion(found: readonly Passage[], read: ReaderResult | undefined): boolean {
  if (found.some(({ score }) => score >= SURELY_ABOUT)) return true;
  return read ? read.isNear : found.some(({ strength }) => strength !== "weak");
}

/** The reader's passages first, by what it expects of them, then the others in the search's order. */
export function byReader(
  found: readonly Passage[],
  read: ReaderResult | undefined,
): readonly Passage[] {
  const likely = new Map<Passage, number>();
  for (const { passage, likely: own } of read?.sentences ?? []) {
    likely.set(passage, (likely.get(passage) ?? 0) + own);
  }
  return found.toSorted((a, b) => (likely.get(b) ?? 0) - (likely.get(a) ?? 0));
}

/** Cites a passage with its likeliest sentence and, in it, the likely words. */
export function markLikely(passage: Passage, read: ReaderResult | undefined): Citation {
  const best = bestOf(read?.sentences.filter((each) => each.passage === passage) ?? []);
  if (!best) return toCitation(passage, []);
  const { start, end } = best.sentence;
  return toCitation(passage, [{ start, end }], { likely: best.span });
}
