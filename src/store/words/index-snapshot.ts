// The index as one read sees it: which segments there are, and their chunks. Segments never change, so what was loaded
// is kept for as long as the segment exists.
import { KnowledgeError } from "../../domain/errors.ts";
import { type Connection, oneOf, sql } from "../sql.ts";
import { decodeDirectory, decodeKeys, decodeTable } from "./format/encode.ts";

type Numbers = Uint32Array | Float64Array;

export interface LoadedSegment {
  readonly number: number;
  /** The first term of each page. */
  readonly pages: readonly string[];
  /** From `toTermFilter`. */
  readonly filter: Uint8Array;
  /** The chunks; none in a segment of removed chunks. */
  readonly keys: Numbers;
  readonly docs: Numbers;
  readonly lengths: Uint16Array;
  readonly maxLength: number;
  /** Chunks of other segments. */
  readonly removedKeys: readonly number[];
}

export interface IndexSnapshot {
  readonly chunkCount: number;
  readonly averageLength: number;
  readonly maxLength: number;
  /** The largest first: scoring them makes the threshold rise soon. */
  readonly segments: readonly LoadedSegment[];
  /** The keys of removed chunks. */
  readonly gone: ReadonlySet<number>;
  /** The segments that have any of them: 1 at the places of those. */
  readonly goneIn: ReadonlyMap<LoadedSegment, Uint8Array>;
}

interface TotalsRow {
  /** The segments' numbers. */
  readonly list: string | null;
  readonly chunks: number | null;
  readonly length: number | null;
}

interface SegmentRow {
  readonly segment: number;
  readonly removed: number;
  readonly chunks: Uint8Array;
  readonly pages: Uint8Array;
  readonly filter: Uint8Array;
}

/** A merge may take segments away between two reads. Several in a row are rare: each rewrites part of the index. */
const MAX_READS = 10;

/** Reads again while `read` returns undefined, because a segment was merged meanwhile. */
export async function readSettled<Result>(
  read: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let reads = 0; reads < MAX_READS; reads++) {
    const result = await read();
    if (result !== undefined) return result;
  }
  throw new KnowledgeError(
    "STORE_UNAVAILABLE",
    "The word index is being rewritten too fast to be read. Try again in a moment.",
  );
}

export function openSnapshots() {
  let last = { list: "", snapshot: toSnapshot([], { chunks: 0, length: 0 }) };
  const read = async (db: Connection): Promise<IndexSnapshot | undefined> => {
    const totals = (await db.one<TotalsRow>(sql`
      SELECT string_agg(CAST(segment AS text), ',' ORDER BY segment) AS list,
        CAST(sum(added - removed) AS bigint) AS chunks, CAST(sum(length) AS bigint) AS length
      FROM word_segments WHERE kb = ${db.kb}`)) as TotalsRow;
    const list = totals.list ?? "";
    if (list === last.list) return last.snapshot;
    const loaded = new Map(last.snapshot.segments.map((segment) => [segment.number, segment]));
    const numbers = list === "" ? [] : list.split(",").map(Number);
    const missing = numbers.filter((number) => !loaded.has(number));
    if (missing.length > 0) {
      const rows = await db.all<SegmentRow>(sql`
        SELECT segment, removed, chunks, pages, filter FROM word_segments
        WHERE kb = ${db.kb} AND segment ${oneOf("bigint", missing)}`);
      for (const row of rows) loaded.set(row.segment, toLoaded(row));
    }
    const segments = numbers.flatMap((number) => loaded.get(number) ?? []);
    if (segments.length < numbers.length) return undefined;
    last = { list, snapshot: toSnapshot(segments, totals) };
    return last.snapshot;
  };
  return (db: Connection): Promise<IndexSnapshot> => readSettled(() => read(db));
}

function toLoaded({ segment, removed, chunks, pages, filter }: SegmentRow): LoadedSegment {
  const none = { keys: [], docs: [], lengths: [] };
  const { keys, docs, lengths } = removed > 0 ? none : decodeTable(chunks);
  return {
    number: segment,
    pages: decodeDirectory(pages),
    filter,
    keys: packNumbers(keys),
    docs: packNumbers(docs),
    lengths: Uint16Array.from(lengths),
    maxLength: lengths.reduce((max, length) => Math.max(max, length), 0),
    removedKeys: removed > 0 ? decodeKeys(chunks) : [],
  };
}

function packNumbers(numbers: readonly number[]): Numbers {
  const isSmall = numbers.every((number) => number < 2 ** 32);
  return isSmall ? Uint32Array.from(numbers) : Float64Array.from(numbers);
}

function toSnapshot(
  segments: readonly LoadedSegment[],
  { chunks, length }: Pick<TotalsRow, "chunks" | "length">,
): IndexSnapshot {
  const chunkCount = Number(chunks ?? 0);
  const gone = new Set(segments.flatMap(({ removedKeys }) => removedKeys));
  const goneIn = new Map<LoadedSegment, Uint8Array>();
  let totalLength = Number(length ?? 0);
  for (const segment of segments) {
    for (const place of placesOf(segment.keys, gone)) {
      const marks = goneIn.get(segment) ?? new Uint8Array(segment.keys.length);
      goneIn.set(segment, marks);
      marks[place] = 1;
      totalLength -= segment.lengths[place] as number;
    }
  }
  return {
    chunkCount,
    averageLength: totalLength / chunkCount || 1,
    maxLength: Math.max(0, ...segments.map((segment) => segment.maxLength)),
    segments: segments.toSorted((a, b) => b.keys.length - a.keys.length),
    gone,
    goneIn,
  };
}

/** Where the wanted keys are, of which there are few; `keys` ascend. */
function* placesOf(keys: Numbers, wanted: ReadonlySet<number>): Generator<number> {
  const last = keys.at(-1) ?? -1;
  for (const key of wanted) {
    if (key > last || key < (keys[0] as number)) continue;
    let from = 0;
    for (let to = keys.length; from < to; ) {
      const middle = (from + to) >> 1;
      if ((keys[middle] as number) < key) from = middle + 1;
      else to = middle;
    }
    if (keys[from] === key) yield from;
  }
}
