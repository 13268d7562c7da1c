// Asks every question as a caller would, and says at which step of the search an expected passage was lost.
import type { Passage } from "../domain/passage.ts";
import type { Search } from "../search/search.ts";
import type { DocumentStore } from "../store/store.ts";
import { openMatch, type Question } from "./question.ts";

/** In the order of a search. `gone`: a made question whose document was removed, which is no loss. */
export const STEPS = [
  "gone",
  "not-indexed",
  "not-recalled",
  "not-by-words",
  "not-by-meaning",
  "ranked-below",
  "left-out-as-weak",
] as const;
export type Step = (typeof STEPS)[number];

export type Verdict = { readonly rank: number } | { readonly lost: Step };

export interface RunParts {
  readonly search: Search;
  readonly documents: Pick<DocumentStore, "get" | "chunksOf">;
  /** The number of results that a caller gets. */
  readonly topK: number;
  /** Which of the results a caller is shown. */
  readonly shown: (found: readonly Passage[], query: string) => readonly Passage[];
}

// As many as each side of a search recalls.
const DEEP = 200;

export async function ask(
  parts: RunParts,
  question: Question,
  signal: AbortSignal,
): Promise<Verdict> {
  const { search, topK, shown } = parts;
  const { question: text } = question;
  const { matches } = openMatch(question);
  const { passages } = await search.search({ text, limit: topK }, signal);
  const rank = shown(passages, text).findIndex(matches) + 1;
  if (rank > 0) return { rank };
  if (passages.some(matches)) return { lost: "left-out-as-weak" };
  const missing = await missingStep(parts, question);
  if (missing) return { lost: missing };
  const deep = await search.search({ text, limit: DEEP }, signal);
  return { lost: stepOf(deep.passages.find(matches)) };
}

async function missingStep({ documents }: RunParts, question: Question): Promise<Step | undefined> {
  const { documentId, kind } = question;
  if (!(await documents.get(documentId))) return kind === "pinned" ? "not-indexed" : "gone";
  const { hasWords } = openMatch(question);
  return (await documents.chunksOf(documentId)).some(hasWords) ? undefined : "not-indexed";
}

function stepOf(found: Passage | undefined): Step {
  if (found === undefined) return "not-recalled";
  const { lexicalRank, vectorRank } = found.parts;
  if (lexicalRank === undefined) return "not-by-words";
  return vectorRank === undefined ? "not-by-meaning" : "ranked-below";
}

/** 0 to 1: a passage further down is worth less, as in nDCG; a lost one is worth nothing. */
export function scoreOf(verdicts: readonly Verdict[]): number {
  const asked = verdicts.filter((each) => !("lost" in each && each.lost === "gone"));
  const gains = asked.map((each) => ("rank" in each ? 1 / Math.log2(each.rank + 1) : 0));
  return gains.reduce((sum, gain) => sum + gain, 0) / Math.max(1, gains.length);
}
