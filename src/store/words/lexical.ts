// Runs a lexical query. Phrases, and filters that allow too many documents to list them, are checked for the best
// candidates, then for more of them, until there are enough hits.
import type { Connection } from "../sql.ts";
import type { Hit, LexicalFound, LexicalQuery } from "../store.ts";
import { termFactor } from "./bm25.ts";
import { phrasesIn } from "./chunk-terms.ts";
import { placeOf } from "./format/segment.ts";
import { indexOf, type ScoredTerm, type SegmentScorer } from "./segment-scorer.ts";
import type { IndexReading, ReadIndex, SegmentPostings } from "./term-postings.ts";

/** What a filter allows; an engine sets one of the two, or none if everything is allowed. */
export interface AllowedDocuments {
  readonly allows?: (doc: number) => boolean;
  /** Returns those of the chunks that are allowed. */
  readonly check?: (keys: readonly number[]) => Promise<ReadonlySet<number>>;
}

interface Words {
  readonly index: ReadIndex;
  readonly scorer: SegmentScorer;
}

interface FilteredQuery {
  readonly query: LexicalQuery;
  readonly allowed: AllowedDocuments | Promise<AllowedDocuments>;
}

export async function searchLexical(
  db: Connection,
  { index, scorer }: Words,
  { query, allowed }: FilteredQuery,
): Promise<LexicalFound> {
  const phrases = (query.phrases ?? []).filter((phrase) => phrase.length > 0).map(wellFormed);
  const names = new Set([...wellFormed(query.terms.map(({ term }) => term)), ...phrases.flat()]);
  const [reading, { allows, check }] = await Promise.all([index(db, [...names]), allowed]);
  const { gone } = reading.snapshot;
  const scored = toScored(reading, query);
  const mayBeHit = (key: number, doc: number) => !gone.has(key) && (allows?.(doc) ?? true);
  const candidates =
    phrases.length > 0
      ? openHolders(reading, { scorer, scored, phrases, mayBeHit })
      : (limit: number) => scorer.best(reading.snapshot, scored, { limit, allows: mayBeHit });
  const passing = async (keys: readonly number[]) => {
    const numbers = phrases.length > 0 ? await phrasesIn(db, keys, phrases) : [];
    const held = keys.filter((_, at) => phrases.length === (numbers[at]?.length ?? 0));
    return check ? check(held) : new Set(held);
  };
  const isChecked = phrases.length > 0 || check !== undefined;
  const hits = isChecked
    ? await firstPassing(query.limit, candidates, passing)
    : candidates(query.limit);
  return {
    hits,
    statistics: toStatistics(
      reading,
      query.terms.map(({ term }) => term),
    ),
  };
}

export function toStatistics({ snapshot, terms }: IndexReading, names: readonly string[]) {
  const frequencies = names.map(
    (term) => [term, terms.get(term.toWellFormed())?.frequency ?? 0] as const,
  );
  return { chunkCount: snapshot.chunkCount, frequencies: new Map(frequencies) };
}

export function wellFormed(terms: readonly string[]): string[] {
  return terms.map((term) => term.toWellFormed());
}

function toScored({ snapshot, terms }: IndexReading, query: LexicalQuery): ScoredTerm[] {
  const weights = new Map<string, number>();
  for (const { term, weight } of query.terms) {
    weights.set(term.toWellFormed(), (weights.get(term.toWellFormed()) ?? 0) + weight);
  }
  return [...weights].flatMap(([term, weight]) => {
    const postings = terms.get(term);
    if (!postings || postings.frequency <= 0 || weight <= 0) return [];
    return [{ factor: termFactor(weight, postings.frequency, snapshot.chunkCount), postings }];
  });
}

type Candidates = (limit: number) => readonly Hit[];

interface Holding {
  readonly scorer: SegmentScorer;
  readonly scored: readonly ScoredTerm[];
  readonly phrases: readonly (readonly string[])[];
  readonly mayBeHit: (key: number, doc: number) => boolean;
}

/** The chunks that contain every term of the phrases, best first. */
function openHolders(
  { snapshot, terms }: IndexReading,
  { scorer, scored, phrases, mayBeHit }: Holding,
): Candidates {
  const needed = [...new Set(phrases.flat())].map((term) => terms.get(term)?.segments);
  const hits: Hit[] = [];
  for (const segment of snapshot.segments) {
    const places = inAll(needed.map((lists) => lists?.get(segment)?.postings)).filter((place) =>
      mayBeHit(segment.keys[place] as number, segment.docs[place] as number),
    );
    const scores = scorer.scoresOf(snapshot, scored, { segment, places });
    places.forEach((place, at) => {
      hits.push({ key: segment.keys[place] as number, score: scores[at] as number });
    });
  }
  hits.sort((a, b) => b.score - a.score || a.key - b.key);
  return (limit) => hits.slice(0, limit);
}

/** The places that are in every list. */
function inAll(lists: readonly (SegmentPostings | undefined)[]): number[] {
  const known = lists.filter((each) => each !== undefined);
  if (known.length < lists.length) return [];
  const [shortest, ...others] = known.map(({ list }) => list).sort((a, b) => a.length - b.length);
  const places = Array.from(shortest ?? [], placeOf);
  return places.filter((place) => others.every((list) => indexOf(list, place) >= 0));
}

async function firstPassing(
  limit: number,
  candidates: Candidates,
  passing: (keys: readonly number[]) => Promise<ReadonlySet<number>>,
): Promise<readonly Hit[]> {
  const hits: Hit[] = [];
  let checked = 0;
  for (let reach = limit * 2; hits.length < limit; reach *= 4) {
    const best = candidates(reach);
    const part = best.slice(checked);
    checked = best.length;
    const passed = await passing(part.map(({ key }) => key));
    hits.push(...part.filter(({ key }) => passed.has(key)));
    if (best.length < reach) break;
  }
  return hits.slice(0, limit);
}
