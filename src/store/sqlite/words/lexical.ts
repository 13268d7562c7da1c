// Runs a lexical query: looks up its terms, gathers their postings and, if there are phrases, checks the chunks
// that contain all their terms one by one, best first.
import { termFactor } from "../../core/bm25.ts";
import type { Hit, LexicalQuery } from "../../store.ts";
import type { Database } from "../database.ts";
import type { DocMask } from "../documents/filter.ts";
import { BLOCK_SIZE } from "../schema.ts";
import type { Mirror } from "../vectors/mirror.ts";
import { BlockScorer, indexOf, type ScoredTerm } from "./block-scorer.ts";
import { decodeIds, lowOf } from "./postings.ts";
import { PostingsCache, type TermPostings } from "./postings-cache.ts";

interface TermRow {
  readonly id: number;
  readonly frequency: number;
}

interface Lexical {
  readonly database: Database;
  readonly mirror: Mirror;
  readonly cache: PostingsCache;
  readonly bm25: BlockScorer;
}

export function openLexical(database: Database, mirror: Mirror) {
  const cache = new PostingsCache(database, mirror);
  const lexical: Lexical = { database, mirror, cache, bm25: new BlockScorer(mirror) };
  return {
    search(query: LexicalQuery, mask: DocMask | undefined): Hit[] {
      const phrases = (query.phrases ?? []).filter((phrase) => phrase.length > 0);
      if (phrases.length === 0) return lexical.bm25.best(scored(lexical, query), query.limit, mask);
      const ids = phrases.map((phrase) => phrase.map((term) => findTerm(database, term)?.id));
      const known = ids.filter((phrase): phrase is number[] => !phrase.includes(undefined));
      if (known.length < phrases.length) return [];
      return phraseHits(lexical, query, { phrases: known, mask });
    },
  };
}

export function findTerm(database: Database, term: string): TermRow | undefined {
  return database.get<TermRow>("SELECT id, frequency FROM terms WHERE term = ?", term);
}

function scored({ database, mirror, cache }: Lexical, query: LexicalQuery): ScoredTerm[] {
  const weights = new Map<string, number>();
  for (const { term, weight } of query.terms) {
    weights.set(term, (weights.get(term) ?? 0) + weight);
  }
  const terms: ScoredTerm[] = [];
  for (const [term, weight] of weights) {
    const row = weight > 0 ? findTerm(database, term) : undefined;
    if (!row) continue;
    const factor = termFactor(weight, row.frequency, mirror.chunkCount);
    terms.push({ factor, postings: cache.get(row.id) });
  }
  return terms;
}

interface Wanted {
  readonly phrases: readonly (readonly number[])[];
  readonly mask: DocMask | undefined;
}

function phraseHits(lexical: Lexical, query: LexicalQuery, wanted: Wanted): Hit[] {
  const hits: Hit[] = [];
  for (const hit of candidatesFor(lexical, query, wanted)) {
    if (hits.length >= query.limit) break;
    if (holdsAll(lexical.database, hit.key, wanted.phrases)) hits.push(hit);
  }
  return hits;
}

/** The chunks that contain every term of the phrases, best first. */
function candidatesFor(lexical: Lexical, query: LexicalQuery, { phrases, mask }: Wanted): Hit[] {
  const { mirror, cache, bm25 } = lexical;
  const terms = scored(lexical, query);
  const needed = [...new Set(phrases.flat())].map((id) => cache.get(id));
  const candidates: Hit[] = [];
  for (const [number, lows] of inAll(needed)) {
    const docs = mirror.blocks.get(number)?.docs;
    const open = lows.filter((low) => {
      const doc = docs?.[low] ?? 0;
      return doc !== 0 && (!mask || mask[doc] === 1);
    });
    const scores = bm25.scoresOf(terms, number, open);
    open.forEach((low, at) => {
      candidates.push({ key: number * BLOCK_SIZE + low, score: scores[at] as number });
    });
  }
  return candidates.sort((a, b) => b.score - a.score || a.key - b.key);
}

/** For each key, the numbers of the phrases that the chunk contains. */
export function phrasesIn(
  database: Database,
  keys: readonly number[],
  phrases: readonly (readonly string[])[],
): number[][] {
  const known = new Map<string, number | undefined>();
  for (const term of phrases.flat()) {
    if (!known.has(term)) known.set(term, findTerm(database, term)?.id);
  }
  const ids = phrases.map((phrase) => phrase.map((term) => known.get(term)));
  const rows = database
    .rows("SELECT key, terms FROM chunks WHERE key IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(keys)) as unknown as [number, Uint8Array][];
  const termsOf = new Map(rows.map(([key, terms]) => [key, decodeIds(terms)]));
  return keys.map((key) => {
    const terms = termsOf.get(key) ?? [];
    return [...ids.keys()].filter((number) => holds(terms, ids[number] ?? []));
  });
}

/** The chunks that are in every list, by block. */
function* inAll(lists: readonly TermPostings[]): Generator<[number, number[]]> {
  const [first, ...others] = [...lists].sort((a, b) => a.size - b.size);
  for (const [number, postings] of first ?? []) {
    const rest = others.map((list) => list.get(number)?.list);
    const everywhere = (low: number) =>
      rest.every((each) => each !== undefined && indexOf(each, low) >= 0);
    const lows = [...postings.list].map(lowOf).filter(everywhere);
    if (lows.length > 0) yield [number, lows];
  }
}

function holdsAll(
  database: Database,
  key: number,
  phrases: readonly (readonly number[])[],
): boolean {
  const row = database.get<{ terms: Uint8Array }>("SELECT terms FROM chunks WHERE key = ?", key);
  const terms = row ? decodeIds(row.terms) : [];
  return phrases.every((phrase) => holds(terms, phrase));
}

function holds(terms: readonly number[], phrase: readonly (number | undefined)[]): boolean {
  const [first] = phrase;
  if (first === undefined) return false;
  for (let at = terms.indexOf(first); at >= 0; at = terms.indexOf(first, at + 1)) {
    if (phrase.every((id, offset) => id !== undefined && terms[at + offset] === id)) return true;
  }
  return false;
}
