// Asks a set of questions and keeps what is needed to judge the answers and to fit what they are shown by.

import type { AnswerOutcome } from "../../src/answer/answer.ts";
import {
  answerFromPassages,
  type Candidate,
  gatherCandidates,
  type Reading,
} from "../../src/answer/answer-from-passages.ts";
import type { SearchFilter } from "../../src/domain/passage.ts";
import type { Search } from "../../src/search/search.ts";

export interface Item {
  readonly set: string;
  readonly question: string;
  /** Questions of one group are fitted or measured together. */
  readonly group: string;
  /** Whether a text holds the answer; never, where there is none. */
  readonly holds: (text: string) => boolean;
  readonly filter?: SearchFilter;
}

export interface Run {
  readonly item: Item;
  readonly outcome: AnswerOutcome;
  readonly candidates: readonly Candidate[];
  readonly quoted: object | undefined;
  readonly verbatim: boolean;
  readonly searchMs: number;
  readonly answerMs: number;
}

const POOL = 20;
const MAX_RESULTS = 4;

export interface Asking {
  readonly search: Search;
  readonly reading: Reading;
  /** Also keeps every candidate: for fitting. */
  readonly whole: boolean;
}

export async function askAll(items: readonly Item[], asking: Asking): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const item of items) runs.push(await ask(item, asking));
  return runs;
}

async function ask(item: Item, { search, reading, whole }: Asking): Promise<Run> {
  const { question: query, filter } = item;
  const started = performance.now();
  const { passages: found } = await search.search({
    text: query,
    limit: POOL,
    ...(filter && { filter }),
  });
  const between = performance.now();
  const asked = { query, found, maxResults: MAX_RESULTS };
  const outcome = await answerFromPassages(asked, reading);
  const ended = performance.now();
  const { candidates, quoted } = whole
    ? await gatherCandidates(asked, reading)
    : { candidates: [], quoted: undefined };
  return {
    item,
    outcome,
    candidates,
    quoted: quoted?.signals,
    verbatim: await isVerbatim(
      outcome,
      reading,
      new Map(found.map((each) => [each.chunkId, each.text])),
    ),
    searchMs: between - started,
    answerMs: ended - between,
  };
}

/** Every citation is a stored chunk, word for word. */
async function isVerbatim(
  { citations, related }: AnswerOutcome,
  { documents }: Reading,
  found: ReadonlyMap<string, string>,
): Promise<boolean> {
  for (const { content, location } of [...citations, ...related]) {
    if (found.get(String(location["chunk_id"])) === content) continue;
    const chunks = await documents.chunksOf(String(location["document_id"]));
    if (!chunks.some(({ id, text }) => id === location["chunk_id"] && text === content))
      return false;
  }
  return true;
}

const plain = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, "");

/** As the development questions were made: full and half width alike, without case and white space. */
export function holdsAll(phrases: readonly string[]): Item["holds"] {
  return (text) => phrases.every((phrase) => plain(text).includes(plain(phrase)));
}

export function holdsPattern(pattern: string): Item["holds"] {
  const gold = new RegExp(pattern, "iu");
  return (text) => gold.test(text.normalize("NFKC").toLowerCase()) || gold.test(plain(text));
}

/** A number must be there as a number, not inside another one. */
export function holdsGold(gold: readonly string[]): Item["holds"] {
  return (text) =>
    gold.every((each) => {
      if (!/^[\d.,]+$/.test(each)) return plain(text).includes(plain(each));
      const digits = each.replace(/[.,]/g, "\\$&");
      return new RegExp(`(?<![\\d.,])${digits}(?!\\d|[.,]\\d)`).test(text.normalize("NFKC"));
    });
}
