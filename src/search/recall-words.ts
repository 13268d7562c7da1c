// Recall by words: BM25 as a share of the best score that this query could get, so that it is comparable
// between queries and with a cosine, and a little more for words that keep their neighbours.
import type { SearchFilter } from "../domain/passage.ts";
import {
  type DocumentStore,
  type Hit,
  type LexicalFound,
  type StoredChunk,
  type TermStatistics,
  termFactor,
  type WeightedTerm,
} from "../store/store.ts";
import { rarity } from "../text/rarity.ts";
import { toPairs } from "./pairs.ts";
import { type Query, toPlain } from "./query.ts";

export interface WordsRecall {
  /** Best first; `score` is 0 to about 1. */
  readonly hits: readonly Hit[];
  /** Nothing else may be shown: these contain a quoted phrase. */
  readonly only: boolean;
}

export interface Recall {
  readonly limit: number;
  readonly filter?: SearchFilter;
}

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
  recall: Recall,
  signal?: AbortSignal,
): Promise<WordsRecall> {
  const terms = await choose(store, query.terms);
  if (terms.length === 0) return { hits: [], only: false };
  const ask: Ask = (given, phrases) => store.lexical({ terms: given, phrases, ...recall }, signal);
  const quoted = query.phrases.length > 0 ? await exactly(store, query, { terms, ask }) : undefined;
  // Quotes are often only a manner of writing: where nothing holds them, better the nearest than nothing.
  const only = quoted !== undefined && quoted.hits.length > 0;
  const found = only ? quoted : await forgiving(store, { terms, ask });
  const rarityOf = rarityIn(found.statistics);
  const { statistics } = found;
  const best = terms.reduce(
    (sum, { term, weight }) =>
      sum + termFactor(weight, statistics.frequencies.get(term) ?? 0, statistics.chunkCount),
    0,
  );
  const kept = await pairShares(store, query, { found: found.hits, rarity: rarityOf });
  const hits = found.hits.map(({ key, score }, at) => ({
    key,
    score: score / (best > 0 ? best : 1) + PAIRS_WEIGHT * (kept[at] ?? 0),
  }));
  return { hits: hits.sort((a, b) => b.score - a.score || a.key - b.key), only };
}

type Ask = (
  terms: readonly WeightedTerm[],
  phrases: readonly (readonly string[])[],
) => Promise<LexicalFound>;

interface Asked {
  readonly terms: readonly WeightedTerm[];
  readonly ask: Ask;
}

async function choose(
  store: DocumentStore,
  sequence: readonly string[],
): Promise<readonly WeightedTerm[]> {
  const counts = new Map<string, number>();
  for (const term of sequence) counts.set(term, (counts.get(term) ?? 0) + 1);
  const terms = [...counts].map(([term, weight]) => ({ term, weight }));
  if (terms.length <= MAX_TERMS) return terms;
  const rarityOf = rarityIn(await store.termStatistics([...counts.keys()]));
  return terms.sort((a, b) => rarityOf(b.term) - rarityOf(a.term)).slice(0, MAX_TERMS);
}

function rarityIn({ chunkCount, frequencies }: TermStatistics): (term: string) => number {
  return (term) => rarity(frequencies.get(term) ?? 0, chunkCount);
}

/** A word found nowhere may be mistyped: similar words are searched for too. */
async function forgiving(store: DocumentStore, { terms, ask }: Asked): Promise<LexicalFound> {
  const found = await ask(terms, []);
  const known = new Set(terms.map(({ term }) => term));
  const meant: WeightedTerm[] = [];
  for (const { term, weight } of terms) {
    if (found.statistics.frequencies.get(term)) continue;
    for (const similar of await store.similarTerms(term, SIMILAR_TERMS)) {
      if (!known.has(similar)) meant.push({ term: similar, weight: weight * SIMILAR_WEIGHT });
    }
  }
  if (meant.length === 0) return found;
  return { ...found, hits: (await ask([...terms, ...meant], [])).hits };
}

/** Term sequences meet by stem; a quote means the words as they are written. */
async function exactly(
  store: DocumentStore,
  { phrases }: Query,
  { terms, ask }: Asked,
): Promise<LexicalFound> {
  const found = await ask(
    terms,
    phrases.map((phrase) => phrase.terms),
  );
  const chunks = await store.chunks(found.hits.map(({ key }) => key));
  const wanted = phrases.map(({ text }) => toPlain(text));
  const holding = chunks.filter((chunk) => {
    const plain = toPlain(wholeText(chunk));
    return wanted.every((phrase) => plain.includes(phrase));
  });
  const keys = new Set(holding.map(({ key }) => key));
  return { ...found, hits: found.hits.filter(({ key }) => keys.has(key)) };
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
