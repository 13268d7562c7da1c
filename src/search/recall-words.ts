// Recall by words: BM25 as a share of the best score this query could get, which makes it comparable between queries and
// with a cosine. Words next to the same words as in the query add a little.
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
import { type Query, type Replaceable, toPlain } from "./query.ts";

export interface WordsRecall {
  /** Best first; `score` is 0 to about 1. */
  readonly hits: readonly Hit[];
  /** True if the hits contain a quoted phrase, so that nothing else may be shown. */
  readonly only: boolean;
}

export interface Recall {
  readonly limit: number;
  readonly filter?: SearchFilter;
}

// A longer query is pasted text. Only its rarest words are used, because they show its subject.
const MAX_TERMS = 48;
// How many passages have their word order compared. Lower ones would not rise far enough to be shown.
const COMPARED_PASSAGES = 60;
// How many similar words replace one that occurs nowhere, and their weight compared with a typed word. Similar are words
// with nearly the same letters and, in Japanese, other spellings and synonyms.
const SIMILAR_TERMS = 3;
const SIMILAR_WEIGHT = 0.5;
// How many words that occur nowhere are guessed. With more, the text is about something else or in another language.
const MAX_GUESSED_TERMS = 8;
// How many words the unfinished last word may match, so that results do not vanish while a person is typing.
const COMPLETED_TERMS = 5;
// A stem may be this much shorter than the typed word: "domesticat" is longer than "domest", the stem of
// "domestication".
const MIN_STEM_LENGTH = 6;
const MAX_ENDING_LENGTH = 6;
const STEM_WEIGHT = 0.8;
// Synonyms are used only if the words that occur nowhere are this share of the query. Otherwise the others say enough,
// and a vague synonym would mislead.
const SUBJECT_SHARE = 0.5;
const SYNONYM_WEIGHT = 0.8;
const SPELLING_WEIGHT = 0.65;

export async function recallByWords(
  store: DocumentStore,
  query: Query,
  recall: Recall,
  signal?: AbortSignal,
): Promise<WordsRecall> {
  const terms = await choose(store, query);
  if (terms.length === 0) return { hits: [], only: false };
  const ask: Ask = (given, phrases) => store.lexical({ terms: given, phrases, ...recall }, signal);
  const quoted =
    query.phrases.length > 0 ? await recallQuoted(store, query, { terms, ask }) : undefined;
  // People often use quotes loosely. If no passage contains the phrase, show the nearest instead of nothing.
  const only = quoted !== undefined && quoted.hits.length > 0;
  const found = only ? quoted : await recallWithGuesses(store, query, { terms, ask });
  const { statistics } = found;
  const best = terms.reduce(
    (sum, { term, weight }) =>
      sum + termFactor(weight, statistics.frequencies.get(term) ?? 0, statistics.chunkCount),
    0,
  );
  const kept = await pairShares(store, query, found);
  const hits = found.hits.map(({ key, score }, at) => ({
    key,
    score: score / (best > 0 ? best : 1) + query.weights.pairs * (kept[at] ?? 0),
  }));
  return { hits: hits.sort((a, b) => b.score - a.score || a.key - b.key), only };
}

type Ask = (
  terms: readonly WeightedTerm[],
  phrases: readonly (readonly string[])[],
) => Promise<LexicalFound>;

interface WordSearch {
  readonly terms: readonly WeightedTerm[];
  readonly ask: Ask;
}

async function choose(
  store: DocumentStore,
  { terms: sequence, weights }: Query,
): Promise<readonly WeightedTerm[]> {
  const counts = new Map<string, number>();
  for (const term of sequence) counts.set(term, (counts.get(term) ?? 0) + 1);
  const terms = [...counts].map(([term, count]) => ({ term, weight: count * weights.of(term) }));
  if (terms.length <= MAX_TERMS) return terms;
  const rarityOf = rarityIn(await store.termStatistics([...counts.keys()]));
  return terms.sort((a, b) => rarityOf(b.term) - rarityOf(a.term)).slice(0, MAX_TERMS);
}

function rarityIn({ chunkCount, frequencies }: TermStatistics): (term: string) => number {
  return (term) => rarity(frequencies.get(term) ?? 0, chunkCount);
}

/** Also searches for guesses: joined spellings, and likely meanings of words that occur nowhere. */
async function recallWithGuesses(
  store: DocumentStore,
  query: Query,
  { terms, ask }: WordSearch,
): Promise<LexicalFound> {
  const { joined, unfinished, weights } = query;
  const known = new Set(terms.map(({ term }) => term));
  const asOne = joined.filter((term) => !known.has(term)).slice(0, MAX_TERMS);
  const asked = [...terms, ...asOne.map((term) => ({ term, weight: weights.of(term) }))];
  const found = await ask(asked, []);
  const absent = terms.filter(({ term }) => !found.statistics.frequencies.get(term));
  const guesses = [
    ...(await guess(store, absent, unfinished)),
    ...(await replace(store, query, { terms, absent })),
  ];
  const meant = guesses.filter(({ term }) => !known.has(term));
  if (meant.length === 0) return found;
  return { ...found, hits: (await ask([...asked, ...meant], [])).hits };
}

async function guess(
  store: DocumentStore,
  absent: readonly WeightedTerm[],
  unfinished: string | undefined,
): Promise<readonly WeightedTerm[]> {
  const heaviest = absent.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_GUESSED_TERMS);
  const last = absent.find(({ term }) => term === unfinished);
  const completed = last ? await completionsOf(store, last) : [];
  // A word that may still be being typed has no typo if longer words begin with it.
  const isCompleted = completed.some(({ term }) => term.startsWith(unfinished ?? ""));
  const wanted = isCompleted ? heaviest.filter((each) => each !== last) : heaviest;
  if (wanted.length === 0) return completed;
  const similar = await store.similarTerms(
    wanted.map(({ term }) => term),
    SIMILAR_TERMS,
  );
  const near = wanted.flatMap(({ weight }, at) =>
    (similar[at] ?? []).map((term) => ({ term, weight: weight * SIMILAR_WEIGHT })),
  );
  return [...completed, ...near];
}

/** Other spellings of the words that occur nowhere, or else synonyms, of those that the store has. */
async function replace(
  store: DocumentStore,
  { replaceable }: Query,
  { terms: asked, absent }: { terms: readonly WeightedTerm[]; absent: readonly WeightedTerm[] },
): Promise<readonly WeightedTerm[]> {
  if (absent.length === 0) return [];
  const words = await replaceable(new Set(absent.map(({ term }) => term)));
  const missing = words.slice(0, MAX_GUESSED_TERMS);
  if (missing.length === 0) return [];
  const others = missing.flatMap(({ spellings, synonyms }) => [...spellings, ...synonyms]);
  const { frequencies } = await store.termStatistics([...new Set(others.flat())]);
  const known = (all: Replaceable["synonyms"]) =>
    all
      .filter((terms) => terms.length > 0 && terms.every((term) => frequencies.get(term)))
      .slice(0, SIMILAR_TERMS);
  const isSubject = total(missing) >= SUBJECT_SHARE * total(asked);
  return missing.flatMap(({ weight, spellings, synonyms }) => {
    const written = known(spellings);
    const chosen = written.length === 0 && isSubject ? known(synonyms) : written;
    const weighed = (terms: readonly string[]) => {
      const share = written.length > 0 ? SPELLING_WEIGHT / terms.length : SYNONYM_WEIGHT;
      return terms.map((term) => ({ term, weight: weight * share }));
    };
    return chosen.flatMap(weighed);
  });
}

function total(weighed: readonly { readonly weight: number }[]): number {
  return weighed.reduce((sum, { weight }) => sum + weight, 0);
}

/** The words that begin with the term, if any; otherwise its stem. */
async function completionsOf(store: DocumentStore, { term, weight }: WeightedTerm) {
  const longer = await store.termsStartingWith(term, COMPLETED_TERMS);
  if (longer.length > 0) return longer.map((each) => ({ term: each, weight }));
  const shorter = Array.from({ length: MAX_ENDING_LENGTH }, (_, at) => term.slice(0, -1 - at));
  const stems = shorter.filter(({ length }) => length >= MIN_STEM_LENGTH);
  const { frequencies } = await store.termStatistics(stems);
  const stem = stems.find((each) => frequencies.get(each));
  return stem === undefined ? [] : [{ term: stem, weight: weight * STEM_WEIGHT }];
}

/** Term sequences match by stem, but a quoted phrase must match as written. */
async function recallQuoted(store: DocumentStore, { phrases }: Query, { terms, ask }: WordSearch) {
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
  { terms, weights }: Query,
  { hits, statistics }: LexicalFound,
): Promise<readonly number[]> {
  const rarityOf = rarityIn(statistics);
  const pairs = toPairs(terms.slice(0, MAX_TERMS), (term) => weights.of(term) * rarityOf(term));
  if (pairs.sequences.length === 0 || hits.length === 0) return [];
  const keys = hits.slice(0, COMPARED_PASSAGES).map(({ key }) => key);
  return (await store.phrasesIn(keys, pairs.sequences)).map(pairs.share);
}

/** Sequential dependence: words that are neighbours in the query should be neighbours in the passage. */
interface Pairs {
  readonly sequences: readonly (readonly string[])[];
  /**
   * Takes the numbers of the sequences that a passage contains; returns how much of the query's order it keeps, 0 to 1.
   */
  readonly share: (held: readonly number[]) => number;
}

/** A pair is weighted by the mean rarity of its two terms. */
function toPairs(terms: readonly string[], rarityOf: (term: string) => number): Pairs {
  const pairs = new Map<string, { sequence: readonly string[]; weight: number }>();
  for (const [at, term] of terms.entries()) {
    const next = terms[at + 1];
    if (next === undefined) break;
    const weight = (rarityOf(term) + rarityOf(next)) / 2;
    pairs.set(`${term} ${next}`, { sequence: [term, next], weight });
  }
  const weights = [...pairs.values()].map(({ weight }) => weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    sequences: [...pairs.values()].map(({ sequence }) => sequence),
    share: (held) => held.reduce((sum, number) => sum + (weights[number] ?? 0), 0) / (total || 1),
  };
}
