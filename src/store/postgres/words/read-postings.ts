// Reads the inverted index: postings of some terms, and the numbers that BM25 needs.
import type { TermStatistics } from "../../store.ts";
import type { Sql } from "../connection.ts";
import { decodePostings, joinTerms, type Postings } from "./postings.ts";
import type { PostingsCache } from "./postings-cache.ts";

/** Rows above this size are requested individually, and only if they are not cached. */
const LARGE_BYTES = 1024;

interface Row {
  readonly term: string;
  readonly segment: number;
  readonly frequency: number;
  readonly data: Buffer | null;
}

interface Size {
  readonly chunks: number;
  readonly length: number;
}

export interface TermPostings {
  readonly frequency: number;
  readonly lists: readonly Postings[];
}

export interface Found {
  /** The number of chunks in the whole index, and their average length. */
  readonly chunks: number;
  readonly average: number;
  readonly terms: ReadonlyMap<string, TermPostings>;
}

const sizeOf = (sql: Sql, kb: number) => sql`
  SELECT coalesce(sum(chunks), 0)::integer AS chunks, coalesce(sum(length), 0)::float8 AS length
  FROM knowledge.segments WHERE kb = ${kb}`;

interface Ask {
  readonly kb: number;
  readonly cache: PostingsCache;
  readonly terms: readonly string[];
}

/** Reads the size of the index together with the rows, because a round trip costs more than either. */
export async function readPostings(sql: Sql, ask: Ask): Promise<Found> {
  const { kb, cache, terms } = ask;
  const all = await sql<(Size & (Row | { term: null }))[]>`
    SELECT s.chunks, s.length, p.term, p.segment, p.frequency,
      CASE WHEN length(p.data) <= ${LARGE_BYTES} THEN p.data END AS data
    FROM (${sizeOf(sql, kb)}) s
    LEFT JOIN knowledge.postings p ON p.kb = ${kb} AND p.term = ANY(${terms as string[]}::text[])`;
  const { chunks = 0, length = 0 } = all[0] ?? {};
  const rows = all.filter((row) => row.term !== null);
  // Also kept here, because the cache may be smaller than what one query needs.
  const lists = rows.map((row) =>
    row.data === null ? cache.get(row.term, row.segment) : decodePostings(row.data),
  );
  const missing = rows.filter((_, at) => lists[at] === undefined);
  const fetched = missing.length > 0 ? await readLarge(sql, ask, missing) : new Map();
  const found = new Map<string, { frequency: number; lists: Postings[] }>();
  for (const [at, { term, segment, frequency }] of rows.entries()) {
    const list = lists[at] ?? fetched.get(`${segment}/${term}`);
    // The segment was merged between the two reads. This is rare, so everything is read again.
    if (!list) return readPostings(sql, ask);
    const entry = found.get(term) ?? { frequency: 0, lists: [] };
    entry.frequency += frequency;
    entry.lists.push(list);
    found.set(term, entry);
  }
  return { chunks, average: chunks > 0 && length > 0 ? length / chunks : 1, terms: found };
}

async function readLarge(
  sql: Sql,
  { kb, cache }: Ask,
  wanted: readonly Row[],
): Promise<Map<string, Postings>> {
  const terms = wanted.map((row) => row.term);
  const segments = wanted.map((row) => row.segment);
  const rows = await sql<{ term: string; segment: number; data: Buffer }[]>`
    SELECT p.term, p.segment, p.data FROM knowledge.postings p
    JOIN unnest(${terms}::text[], ${segments}::bigint[]) AS wanted (term, segment)
      ON p.term = wanted.term AND p.segment = wanted.segment
    WHERE p.kb = ${kb}`;
  const fetched = new Map<string, Postings>();
  for (const { term, segment, data } of rows) {
    const postings = decodePostings(data);
    cache.set(term, segment, postings);
    fetched.set(`${segment}/${term}`, postings);
  }
  return fetched;
}

export async function readTermStatistics(
  sql: Sql,
  kb: number,
  terms: readonly string[],
): Promise<TermStatistics> {
  const rows = await sql<{ chunks: number; term: string | null; frequency: number }[]>`
    SELECT s.chunks, p.term, sum(p.frequency)::integer AS frequency FROM (${sizeOf(sql, kb)}) s
    LEFT JOIN knowledge.postings p ON p.kb = ${kb} AND p.term = ANY(${terms as string[]}::text[])
    GROUP BY s.chunks, p.term`;
  const frequencies = new Map(terms.map((term) => [term, 0]));
  for (const { term, frequency } of rows) if (term !== null) frequencies.set(term, frequency);
  return { chunkCount: rows[0]?.chunks ?? 0, frequencies };
}

export async function readPhrasesIn(
  sql: Sql,
  kb: number,
  ask: { readonly keys: readonly number[]; readonly phrases: readonly (readonly string[])[] },
): Promise<number[][]> {
  const rows = await sql<{ key: number; terms: string }[]>`
    SELECT key, terms FROM knowledge.chunks
    WHERE kb = ${kb} AND key = ANY(${ask.keys as number[]}::bigint[])`;
  const terms = new Map(rows.map((row) => [Number(row.key), row.terms]));
  const phrases = ask.phrases.map(joinTerms);
  return ask.keys.map((key) => {
    const held = terms.get(key) ?? "";
    return [...phrases.keys()].filter((number) => held.includes(phrases[number] ?? ""));
  });
}
