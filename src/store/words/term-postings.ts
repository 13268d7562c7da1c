// The postings of a query's terms. Those that were read are kept as long as they are in use and there is room: after a
// change only what new segments say about a term is read.
import { type Connection, oneOf, sql } from "../sql.ts";
import { decodeList, findInPage, MAX_PAGES, type PageTerm } from "./format/encode.ts";
import { placeOf, timesOf } from "./format/segment.ts";
import { hashOf, mayHave } from "./format/term-filter.ts";
import { type IndexSnapshot, type LoadedSegment, readSettled } from "./index-snapshot.ts";

/** A term's chunks in one segment, with what bounds their scores. */
export interface SegmentPostings {
  /** Ascending. */
  readonly list: Uint32Array;
  readonly maxTimes: number;
  readonly minLength: number;
}

/** What one segment says about a term. */
export interface SegmentTerm {
  readonly postings?: SegmentPostings;
  readonly bytes: number;
}

/** What a snapshot says about a term. */
export interface TermPostings {
  readonly snapshot: IndexSnapshot;
  /** The number of chunks with the term. */
  readonly frequency: number;
  /** All segments of the snapshot, also those without the term. */
  readonly segments: ReadonlyMap<LoadedSegment, SegmentTerm>;
  readonly bytes: number;
}

interface WantedPage {
  readonly term: string;
  readonly segment: LoadedSegment;
  readonly page: number;
}

interface PageRow {
  readonly page: number;
  readonly terms: Uint8Array;
  readonly lists: Uint8Array;
}

/** An entry of the maps takes about this much. */
const ENTRY_BYTES = 100;
const ABSENT: SegmentTerm = { bytes: ENTRY_BYTES };

export interface IndexReading {
  readonly snapshot: IndexSnapshot;
  readonly terms: ReadonlyMap<string, TermPostings>;
}

export type ReadIndex = (db: Connection, terms: readonly string[]) => Promise<IndexReading>;

export function openIndex(
  follow: (db: Connection) => Promise<IndexSnapshot>,
  maxBytes: number,
): ReadIndex {
  const cache = openCache(maxBytes);
  const read = async (
    db: Connection,
    terms: readonly string[],
  ): Promise<IndexReading | undefined> => {
    const snapshot = await follow(db);
    const cached = new Map(terms.map((term) => [term, cache.get(term)]));
    const wanted = [...cached].flatMap(([term, old]) => wantedPages(snapshot, term, old));
    const { fresh, isComplete } = await readPages(db, wanted);
    if (!isComplete && (await follow(db)) !== snapshot) return undefined;
    const postings = new Map<string, TermPostings>();
    for (const [term, old] of cached) {
      const current = old?.snapshot === snapshot ? old : update(snapshot, old, fresh.get(term));
      cache.set(term, current);
      postings.set(term, current);
    }
    return { snapshot, terms: postings };
  };
  return (db, terms) => readSettled(() => read(db, terms));
}

function wantedPages(
  snapshot: IndexSnapshot,
  term: string,
  old: TermPostings | undefined,
): WantedPage[] {
  if (old?.snapshot === snapshot) return [];
  const hash = hashOf(term);
  return snapshot.segments.flatMap((segment) => {
    if (old?.segments.has(segment) || !mayHave(segment.filter, hash)) return [];
    const place = pageOf(segment.pages, term);
    return place < 0 ? [] : [{ term, segment, page: segment.number * MAX_PAGES + place }];
  });
}

/** The page that has the term if any has; -1 if it comes before the first. */
function pageOf(pages: readonly string[], term: string): number {
  let from = 0;
  let to = pages.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((pages[middle] as string) <= term) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

type FreshTerms = Map<string, Map<LoadedSegment, SegmentTerm>>;

async function readPages(db: Connection, wanted: readonly WantedPage[]) {
  const fresh: FreshTerms = new Map();
  if (wanted.length === 0) return { fresh, isComplete: true };
  const numbers = [...new Set(wanted.map(({ page }) => page))];
  const rows = await db.all<PageRow>(sql`
    SELECT page, terms, lists FROM word_pages
    WHERE kb = ${db.kb} AND page ${oneOf("bigint", numbers)}`);
  const pages = new Map(rows.map((row) => [row.page, row]));
  const spelt = new Map(wanted.map(({ term }) => [term, Buffer.from(term)]));
  for (const { term, segment, page } of wanted) {
    const row = pages.get(page);
    const entry = row && findInPage(row.terms, spelt.get(term) as Buffer);
    const segments = fresh.get(term) ?? new Map<LoadedSegment, SegmentTerm>();
    if (entry) segments.set(segment, toSegmentTerm(segment, row.lists, entry));
    fresh.set(term, segments);
  }
  return { fresh, isComplete: rows.length === numbers.length };
}

function toSegmentTerm(
  { lengths }: LoadedSegment,
  lists: Uint8Array,
  { count, from, to }: Omit<PageTerm, "term">,
): SegmentTerm {
  const list = decodeList(lists.subarray(from, to), count);
  return { postings: { list, ...boundsOf(list, lengths) }, bytes: ENTRY_BYTES + list.byteLength };
}

export function boundsOf(list: Uint32Array, lengths: Uint16Array) {
  let maxTimes = 0;
  let minLength = Number.POSITIVE_INFINITY;
  for (let at = 0; at < list.length; at++) {
    const posting = list[at] as number;
    maxTimes = Math.max(maxTimes, timesOf(posting));
    minLength = Math.min(minLength, lengths[placeOf(posting)] as number);
  }
  return { maxTimes, minLength };
}

function update(
  snapshot: IndexSnapshot,
  old: TermPostings | undefined,
  fresh: ReadonlyMap<LoadedSegment, SegmentTerm> | undefined,
): TermPostings {
  const segments = new Map<LoadedSegment, SegmentTerm>();
  let frequency = 0;
  let bytes = 0;
  for (const segment of snapshot.segments) {
    const entry = old?.segments.get(segment) ?? fresh?.get(segment) ?? ABSENT;
    segments.set(segment, entry);
    if (entry.postings) frequency += countKept(entry.postings.list, snapshot.goneIn.get(segment));
    bytes += entry.bytes;
  }
  return { snapshot, frequency, segments, bytes };
}

/** Without the chunks that are gone. */
function countKept(list: Uint32Array, gone: Uint8Array | undefined): number {
  if (gone === undefined) return list.length;
  let count = 0;
  for (let at = 0; at < list.length; at++) if (gone[placeOf(list[at] as number)] !== 1) count++;
  return count;
}

/** The least recently used are dropped first. */
function openCache(maxBytes: number) {
  const kept = new Map<string, TermPostings>();
  let bytes = 0;
  const drop = (term: string) => {
    bytes -= kept.get(term)?.bytes ?? 0;
    kept.delete(term);
  };
  return {
    get: (term: string) => kept.get(term),
    set(term: string, entry: TermPostings): void {
      drop(term);
      kept.set(term, entry);
      bytes += entry.bytes;
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes || oldest === term) break;
        drop(oldest);
      }
    },
  };
}
