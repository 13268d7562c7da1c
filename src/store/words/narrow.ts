// What a caller who does not see every scope finds in the index: the same segments, with the chunks of visible documents
// only. Counts, lengths and frequencies are as if there was nothing else, so scores are too.
import { Cache } from "../../domain/cache.ts";
import type { Sight } from "../../domain/call/sight.ts";
import { type Connection, oneOf, sql } from "../sql.ts";
import { placeOf } from "./format/segment.ts";
import type { IndexSnapshot, LoadedSegment } from "./index-snapshot.ts";
import {
  boundsOf,
  type IndexReading,
  type ReadIndex,
  type SegmentTerm,
  type TermPostings,
} from "./term-postings.ts";

/** Of each chunk of a segment, the number of its document's scope; 0 if the document is gone. */
type ChunkScopes = Uint32Array;

interface Scopes {
  /** Counts moved documents, whose scopes have to be read again. */
  readonly moves: number;
  readonly numbers: Map<string, number>;
  readonly ofChunks: WeakMap<LoadedSegment, ChunkScopes>;
}

interface Narrowed {
  readonly whole: IndexSnapshot;
  readonly scopes: Scopes;
  /** By scope number. */
  readonly totals: readonly { chunks: number; length: number }[];
  readonly bySight: Cache<string, IndexSnapshot>;
}

/** Few callers are active between two changes; each costs an entry. */
const SIGHTS_KEPT = 100;

/** Narrows what is read to what the caller sees. */
export function openNarrowing(index: ReadIndex): ReadIndex {
  let scopes: Scopes = newScopes(-1);
  let last: Narrowed | undefined;
  const follow = async (db: Connection, whole: IndexSnapshot): Promise<Narrowed> => {
    const base = await db.one<{ moves: number }>(sql`SELECT moves FROM bases WHERE kb = ${db.kb}`);
    if (base?.moves !== scopes.moves) scopes = newScopes(base?.moves ?? 0);
    const current = scopes;
    await readScopes(db, whole, current);
    if (last?.whole === whole && last.scopes === current) return last;
    last = {
      whole,
      scopes: current,
      totals: totalsOf(whole, current),
      bySight: new Cache(SIGHTS_KEPT),
    };
    return last;
  };
  return async (db, terms) => {
    const reading = await index(db, terms);
    return db.sight ? narrow(reading, await follow(db, reading.snapshot), db.sight) : reading;
  };
}

function newScopes(moves: number): Scopes {
  return { moves, numbers: new Map(), ofChunks: new WeakMap() };
}

/** Of the segments that were not seen before. */
async function readScopes(db: Connection, { segments }: IndexSnapshot, scopes: Scopes) {
  const { numbers, ofChunks } = scopes;
  const fresh = segments.filter((segment) => !ofChunks.has(segment));
  const docs = [...new Set(fresh.flatMap((segment) => [...segment.docs]))];
  const rows =
    docs.length === 0
      ? []
      : await db.all<{ doc: number; scope: string }>(sql`SELECT doc, scope FROM documents
          WHERE kb = ${db.kb} AND doc ${oneOf("bigint", docs)}`);
  const numberOf = new Map(
    rows.map(({ doc, scope }) => {
      const number = numbers.get(scope) ?? numbers.size + 1;
      numbers.set(scope, number);
      return [doc, number];
    }),
  );
  for (const segment of fresh)
    ofChunks.set(
      segment,
      Uint32Array.from(segment.docs, (doc) => numberOf.get(doc) ?? 0),
    );
}

function totalsOf({ segments, goneIn }: IndexSnapshot, { numbers, ofChunks }: Scopes) {
  const totals = Array.from({ length: numbers.size + 1 }, () => ({ chunks: 0, length: 0 }));
  for (const segment of segments) {
    const scopes = ofChunks.get(segment) as ChunkScopes;
    const gone = goneIn.get(segment);
    for (let place = 0; place < scopes.length; place++) {
      if (gone?.[place] === 1) continue;
      const total = totals[scopes[place] as number] as (typeof totals)[number];
      total.chunks++;
      total.length += segment.lengths[place] as number;
    }
  }
  return totals;
}

function narrow({ terms }: IndexReading, narrowed: Narrowed, sight: Sight): IndexReading {
  const { whole, scopes, totals, bySight } = narrowed;
  // A document whose row is gone belongs to no scope.
  const seen = new Uint8Array(scopes.numbers.size + 1);
  for (const id of sight) seen[scopes.numbers.get(id) ?? 0] = 1;
  seen[0] = 0;
  const name = JSON.stringify(sight);
  const visible = totals.filter((_, number) => seen[number] === 1);
  const chunkCount = visible.reduce((sum, { chunks }) => sum + chunks, 0);
  const length = visible.reduce((sum, total) => sum + total.length, 0);
  const snapshot: IndexSnapshot = bySight.get(name) ?? {
    ...whole,
    chunkCount,
    averageLength: length / chunkCount || 1,
  };
  bySight.set(name, snapshot);
  const places = (segment: LoadedSegment) => scopes.ofChunks.get(segment) as ChunkScopes;
  const kept = [...terms].map(
    ([term, postings]) => [term, narrowTerm(postings, { snapshot, seen, places })] as const,
  );
  return { snapshot, terms: new Map(kept) };
}

interface SeenScopes {
  readonly snapshot: IndexSnapshot;
  /** By scope number. */
  readonly seen: Uint8Array;
  readonly places: (segment: LoadedSegment) => ChunkScopes;
}

function narrowTerm(
  { segments: all, bytes }: TermPostings,
  { snapshot, seen, places }: SeenScopes,
) {
  const segments = new Map<LoadedSegment, SegmentTerm>();
  let frequency = 0;
  for (const [segment, { postings }] of all) {
    if (!postings) continue;
    const gone = snapshot.goneIn.get(segment);
    const list = keep(postings.list, { seen, scopes: places(segment), gone });
    if (list.length === 0) continue;
    frequency += list.length;
    segments.set(segment, { postings: { list, ...boundsOf(list, segment.lengths) }, bytes: 0 });
  }
  return { snapshot, frequency, segments, bytes };
}

interface Visibility {
  readonly seen: Uint8Array;
  readonly scopes: ChunkScopes;
  readonly gone: Uint8Array | undefined;
}

function keep(list: Uint32Array, { seen, scopes, gone }: Visibility): Uint32Array {
  const kept = new Uint32Array(list.length);
  let count = 0;
  for (let at = 0; at < list.length; at++) {
    const posting = list[at] as number;
    const place = placeOf(posting);
    if (seen[scopes[place] as number] !== 1) continue;
    if (gone?.[place] === 1) continue;
    kept[count++] = posting;
  }
  return kept.slice(0, count);
}
