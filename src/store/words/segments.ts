// The inverted index grows as a log: every change writes a small segment, and segments of similar size are merged into
// larger ones, so that a search reads few of them and each posting is rewritten only a few times.
//
//   put, remove ──▶ ▪▪▪▪ ──▶ ▬▬▬▬ ──▶ █   four of a size become one of the next
//
// Writers never wait for each other's words, because no two of them write the same row. The change that makes a segment too
// many merges, unless another one is merging.
import { type Connection, oneOf, sql } from "../sql.ts";
import {
  decodeAdded,
  decodeKeys,
  decodeTable,
  type EncodedPage,
  type EncodedSegment,
  encodeAdded,
  encodeRemoved,
  MAX_PAGES,
} from "./format/encode.ts";
import { mergeSegments, toAdded, type WordChunk } from "./format/segment.ts";

/** A larger number would make searches read more segments, a smaller one would rewrite postings more often. */
const FAN_IN = 4;
/** Segments with this many chunks are merged no more, so that no merge takes long: the largest has four times as many. */
const FULL_CHUNKS = 8192;

/** `number` is a key that no chunk has. */
export async function addWords(db: Connection, number: number, chunks: readonly WordChunk[]) {
  if (chunks.length > 0) await writeSegment(db, number, encodeAdded(toAdded(chunks)));
}

/** Takes the chunks' words out of all counts and results at once. `keys` ascend. */
export async function removeWords(db: Connection, number: number, keys: readonly number[]) {
  if (keys.length > 0) await writeSegment(db, number, encodeRemoved(keys));
}

async function writeSegment(db: Connection, number: number, segment: EncodedSegment) {
  await insertSegment(db, number, segment);
  while (await mergeOnce(db));
}

export async function clearWords(db: Connection): Promise<void> {
  await db.together([
    sql`DELETE FROM word_pages WHERE kb = ${db.kb}`,
    sql`DELETE FROM word_segments WHERE kb = ${db.kb}`,
  ]);
}

async function insertSegment(
  db: Connection,
  number: number,
  { added, removed, length, chunks, pages, filter, content }: EncodedSegment,
): Promise<void> {
  const segment = sql`
    INSERT INTO word_segments (kb, segment, added, removed, length, chunks, pages, filter)
    VALUES (${db.kb}, ${number}, ${added}, ${removed}, ${length}, ${chunks}, ${pages}, ${filter})`;
  const first = number * MAX_PAGES;
  const rows = content.map(({ terms, lists }, at) => [db.kb, first + at, terms, lists]);
  await Promise.all([db.run(segment), db.insert(PAGES, rows)]);
}

const PAGES = {
  table: "word_pages",
  columns: { kb: "integer", page: "bigint", terms: "bytea", lists: "bytea" },
} as const;

interface SegmentSize {
  readonly segment: number;
  readonly added: number;
  readonly removed: number;
}

interface SegmentRow extends SegmentSize {
  readonly chunks: Uint8Array;
}

/** Segments of one size, if there are enough to merge. */
async function findMergeable(db: Connection): Promise<readonly number[] | undefined> {
  const rows = await db.all<SegmentSize>(sql`
    SELECT segment, added, removed FROM word_segments WHERE kb = ${db.kb} AND added < ${FULL_CHUNKS}`);
  const tiers = Map.groupBy(rows, ({ added, removed }) =>
    Math.floor(Math.log2(added + removed) / Math.log2(FAN_IN)),
  );
  const [smallest] = [...tiers]
    .filter(([, same]) => same.length >= FAN_IN)
    .sort(([a], [b]) => a - b);
  return smallest?.[1].map(({ segment }) => segment);
}

/** Merges segments of one size; false if there are not enough, or another change merges now. */
async function mergeOnce(db: Connection): Promise<boolean> {
  if (!(await findMergeable(db))) return false;
  const lock = await db.one<{ taken: unknown }>(db.dialect.locks.tryMerging(db.kb));
  // Those that were found may have been merged before the lock was free.
  const tier = lock?.taken ? await findMergeable(db) : undefined;
  if (!tier) return false;
  const chosen = await readSegments(db, tier);
  const emptied = await findEmptied(db, chosen.removed);
  const full = await readSegments(db, emptied);
  const merged = mergeSegments([...chosen.added, ...full.added], chosen.removed);
  await dropSegments(db, [...tier, ...emptied]);
  const [first, second] = (await db.dialect.reserveKeys(db, 2)) as [number, number];
  if (merged.added.keys.length > 0) await insertSegment(db, first, encodeAdded(merged.added));
  if (merged.removed.length > 0) await insertSegment(db, second, encodeRemoved(merged.removed));
  return true;
}

async function readSegments(db: Connection, numbers: readonly number[]) {
  const rows = await db.all<SegmentRow>(sql`
    SELECT segment, added, removed, chunks FROM word_segments
    WHERE kb = ${db.kb} AND segment ${oneOf("bigint", numbers)}`);
  const readAdded = async ({ segment, chunks }: SegmentRow) =>
    decodeAdded(
      chunks,
      await db.all<EncodedPage>(sql`SELECT terms, lists FROM word_pages
        WHERE kb = ${db.kb} AND page >= ${segment * MAX_PAGES} AND page < ${(segment + 1) * MAX_PAGES}`),
    );
  return {
    added: await Promise.all(rows.filter(({ added }) => added > 0).map(readAdded)),
    removed: rows.filter(({ removed }) => removed > 0).flatMap(({ chunks }) => decodeKeys(chunks)),
  };
}

/** Full segments that would lose at least half of their chunks. */
async function findEmptied(db: Connection, removedKeys: readonly number[]): Promise<number[]> {
  if (removedKeys.length < FULL_CHUNKS / 2) return [];
  const gone = new Set(removedKeys);
  const rows = await db.all<SegmentRow>(sql`
    SELECT segment, added, chunks FROM word_segments
    WHERE kb = ${db.kb} AND added >= ${FULL_CHUNKS}`);
  const isEmptied = ({ added, chunks }: SegmentRow) =>
    decodeTable(chunks).keys.filter((key) => gone.has(key)).length * 2 >= added;
  return rows.filter(isEmptied).map(({ segment }) => segment);
}

async function dropSegments(db: Connection, numbers: readonly number[]): Promise<void> {
  await db.together([
    ...numbers.map(
      (number) => sql`DELETE FROM word_pages WHERE kb = ${db.kb}
        AND page >= ${number * MAX_PAGES} AND page < ${(number + 1) * MAX_PAGES}`,
    ),
    sql`DELETE FROM word_segments WHERE kb = ${db.kb} AND segment ${oneOf("bigint", numbers)}`,
  ]);
}
