// Recall by words: BM25 as a share of the best score that this query could get, so that it is comparable
// between queries and with a cosine, and a little more for words that keep their neighbours.
import type { SearchFilter } from "../domain/passage.ts";
import type { DocumentStore, Hit, StoredChunk, WeightedTerm } from "../store/store.ts";
import { toPairs } from "./pairs.ts";
import { type Query, toPlain } from "./query.ts";

export interface WordsRecall {
  /** Best first; `score` is 0 to about 1. */
  readonly hits: readonly Hit[];
  /** Nothing else may be shown: a quoted phrase stands in these. */
  readonly only: boolean;
  /** The first ones, read while the query is still being embedded. */
  readonly chunks: readonly StoredChunk[];
}

export interface Recall {
  readonly limit: number;
  /** How many of the first will be looked at more closely. */
  readonly pool: number;
  readonly filter?: SearchFilter;
}

// The saturation of BM25 in every store: a term adds at most (K1 + 1) × its rarity.
const K1 = 1.2;
// A query longer than this is a pasted text: its rarest words say what it is about.
const MAX_TERMS = 48;
// Passages whose word order is looked at. Deeper ones are not lifted into view by it.
const PAIRED = 60;
const PAIRS_WEIGHT = 0.1;
// A word that may have been meant counts less than one that was typed.
const SIMILAR_TERMS = 3;
const SIMILAR_WEIGHT = 0.5;

export async function recallByWords(
  store: DocumentStore,
  query: Query,
  { pool, ...recall }: Recall,
  signal?: AbortSignal,
): Promise<WordsRecall> {
  const { terms, rarity, best } = await weigh(store, query.terms);
  if (terms.length === 0) return { hits: [], only: false, chunks: [] };
  const lexical = (phrases: readonly (readonly string[])[]) =>
    store.lexical({ terms, phrases, ...recall }, signal);
  const quoted = query.phrases.length > 0 ? await exactly(store, query, lexical) : [];
  // Quotes are often only a manner of writing: where nothing holds them, better the nearest than nothing.
  const only = quoted.length > 0;
  const found = only ? quoted : await lexical([]);
  const [kept, chunks] = await Promise.all([
    pairShares(store, query, { found, rarity }),
    store.chunks(found.slice(0, pool).map(({ key }) => key)),
  ]);
  const hits = found.map(({ key, score }, at) => ({
    key,
    score: score / best + PAIRS_WEIGHT * (kept[at] ?? 0),
  }));
  return { hits: hits.sort((a, b) => b.score - a.score || a.key - b.key), only, chunks };
}

async function weigh(store: DocumentStore, sequence: readonly string[]) {
  const counts = new Map<string, number>();
  for (const term of sequence) counts.set(term, (counts.get(term) ?? 0) + 1);
  const { chunkCount, frequencies } = await store.termStatistics([...counts.keys()]);
  const rarity = (term: string) => {
    const frequency = frequencies.get(term) ?? 0;
    return Math.log(1 + (chunkCount - frequency + 0.5) / (frequency + 0.5));
  };
  const chosen = [...counts].sort(([a], [b]) => rarity(b) - rarity(a)).slice(0, MAX_TERMS);
  const terms: WeightedTerm[] = chosen.map(([term, weight]) => ({ term, weight }));
  for (const { term, weight } of [...terms]) {
    if (frequencies.get(term)) continue;
    for (const similar of await store.similarTerms(term, SIMILAR_TERMS)) {
      if (!counts.has(similar)) terms.push({ term: similar, weight: weight * SIMILAR_WEIGHT });
    }
  }
  const best = chosen.reduce((sum, [term, weight]) => sum + weight * rarity(term) * (K1 + 1), 0);
  return { terms, rarity, best: best > 0 ? best : 1 };
}

/** Term sequences meet by stem; a quote means the words as they are written. */
async function exactly(
  store: DocumentStore,
  { phrases }: Query,
  lexical: (phrases: readonly (readonly string[])[]) => Promise<readonly Hit[]>,
): Promise<readonly Hit[]> {
  const hits = await lexical(phrases.map(({ terms }) => terms));
  const chunks = await store.chunks(hits.map(({ key }) => key));
  const wanted = phrases.map(({ text }) => toPlain(text));
  const holding = chunks.filter((chunk) => {
    const plain = toPlain(wholeText(chunk));
    return wanted.every((phrase) => plain.includes(phrase));
  });
  const keys = new Set(holding.map(({ key }) => key));
  return hits.filter(({ key }) => keys.has(key));
}

function wholeText({ text, headings, tableHeader = "", document }: StoredChunk): string {
  return [document.title ?? "", ...headings, tableHeader, text].join("\n");
}

async function pairShares(
  store: DocumentStore,
  { terms }: Query,
  { found, rarity }: { found: readonly Hit[]; rarity: (term: string) => number },
): Promise<readonly number[]> {
  const pairs = toPairs(terms.slice(0, MAX_TERMS), rarity);
  if (pairs.sequences.length === 0 || found.length === 0) return [];
  const keys = found.slice(0, PAIRED).map(({ key }) => key);
  return (await store.phrasesIn(keys, pairs.sequences)).map(pairs.share);
}
