// Asks questions and keeps what is needed to judge the answers.
import type { AnswerOutcome } from "../../src/answer/answer.ts";
import { answerFromPassages, type ReadingParts } from "../../src/answer/answer-from-passages.ts";
import type { SearchFilter } from "../../src/domain/passage.ts";
import type { Search } from "../../src/search/search.ts";
import { type Best, bestOf } from "./reading.ts";

export interface Item {
  readonly set: string;
  /** Whether the knowledge base has the answer, lacks the article, or lacks only the paragraph. */
  readonly where: "present" | "article absent" | "paragraph absent";
  readonly question: string;
  /** Whether a text has the answer; never, where there is none. */
  readonly holds: (text: string) => boolean;
  readonly filter?: SearchFilter;
}

export interface Run {
  readonly item: Item;
  readonly outcome: AnswerOutcome;
  readonly best: Best | undefined;
  readonly searchMs: number;
  readonly answerMs: number;
}

const POOL = 20;
const MAX_RESULTS = 4;

export async function askAll(
  items: readonly Item[],
  { search, reading }: { readonly search: Search; readonly reading: ReadingParts },
): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const item of items) {
    const { question: query, filter } = item;
    const started = performance.now();
    const request = { text: query, limit: POOL, ...(filter && { filter }) };
    const { passages: found } = await search.search(request);
    const between = performance.now();
    const asked = { query, found, maxResults: MAX_RESULTS };
    const outcome = await answerFromPassages(asked, reading);
    const ended = performance.now();
    const best = await bestOf(query, found, reading);
    runs.push({ item, outcome, best, searchMs: between - started, answerMs: ended - between });
  }
  return runs;
}

const plain = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, "");

/** One of the answers, full and half width alike, without case and white space. */
export function holdsAny(answers: readonly string[]): Item["holds"] {
  const wanted = answers.map(plain).filter((each) => each !== "");
  return (text) => wanted.some((each) => plain(text).includes(each));
}

export function holdsAll(phrases: readonly string[]): Item["holds"] {
  return (text) => phrases.every((phrase) => plain(text).includes(plain(phrase)));
}

/** A number must be there as a number, not inside another one. */
export function holdsValue(values: readonly string[]): Item["holds"] {
  return (text) =>
    values.every((each) => {
      if (!/^[\d.,]+$/.test(each)) return plain(text).includes(plain(each));
      const digits = each.replace(/[.,]/g, "\\$&");
      return new RegExp(`(?<![\\d.,])${digits}(?!\\d|[.,]\\d)`).test(text.normalize("NFKC"));
    });
}
