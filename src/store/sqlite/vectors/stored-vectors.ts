// The vectors of a document in one row, as readers load them. A better vector is the only thing about a chunk that ever
// changes: short documents get it in their segment at once; those of a long one are kept apart until complete, because a
// segment is written whole. Removed keys are logged, so that readers in other processes can follow.
import { type Connection, sql } from "../../sql.ts";
import type { BetterVectors, NewVectors, Vectors } from "../../vectors.ts";
import { quantise, restore } from "./quantise.ts";

/** Documents with up to this many vectors (about 100 kB) are rewritten with each step. */
const WRITTEN_WHOLE = 256;

const REFINED = {
  table: "refined_vectors",
  columns: { key: "bigint", doc: "bigint", vector: "bytea", changed: "bigint" },
  after: sql`ON CONFLICT (key) DO UPDATE SET vector = excluded.vector, changed = excluded.changed`,
} as const;

/** Readers that are more than this many removals behind reload everything. */
const REMOVALS_KEPT = 10_000;

export function openVectors(): Vectors {
  return {
    insert,
    replace,
    read,
    async remove(db, doc, keys) {
      await db.run(sql`DELETE FROM segments WHERE doc = ${doc}`);
      await noteRemoval(db, keys[0] as number, keys.at(-1) as number);
    },
    async clear(db) {
      const state = await db.one<{ next_key: number }>(sql`SELECT next_key FROM state`);
      await db.together([sql`DELETE FROM refined_vectors`, sql`DELETE FROM segments`]);
      await noteRemoval(db, 0, Number(state?.next_key) - 1);
    },
  };
}

async function insert(db: Connection, { doc, keys, chunks }: NewVectors): Promise<void> {
  const { dimensions, vectors } = chunks;
  const bytes = dimensions === 0 ? null : quantise(vectors, dimensions);
  await db.run(sql`INSERT INTO segments (first_key, doc, count, dimensions, vectors)
    VALUES (${keys[0] as number}, ${doc}, ${keys.length}, ${dimensions}, ${bytes})`);
}

async function read(db: Connection, doc: number): Promise<ReadonlyMap<number, Float32Array>> {
  const segment = await db.one<SegmentRow>(segmentOf(doc));
  const found = new Map<number, Float32Array>();
  const stored = segment?.vectors ? restore(segment.vectors, segment.dimensions) : [];
  for (const [at, vector] of stored.entries())
    if (vector) found.set((segment as SegmentRow).first_key + at, vector);
  for (const { key, vector } of await readRefined(db, doc)) {
    const [better] = restore(vector, vector.length - 4);
    if (better) found.set(key, better);
  }
  return found;
}

async function noteRemoval(db: Connection, first: number, last: number): Promise<void> {
  const state = await db.one<{ seq: number }>(
    sql`UPDATE state SET removals = removals + 1 WHERE id = 1 RETURNING removals AS seq`,
  );
  const seq = Number(state?.seq);
  const dropped = Math.max(seq - REMOVALS_KEPT, 0);
  await db.together([
    sql`INSERT INTO removals (seq, first_key, last_key) VALUES (${seq}, ${first}, ${last})`,
    sql`DELETE FROM removals WHERE seq <= ${dropped}`,
    sql`UPDATE state SET removals_dropped = ${dropped} WHERE id = 1`,
  ]);
}

interface CodedVector {
  readonly key: number;
  readonly vector: Uint8Array;
}

async function replace(db: Connection, { doc, chunkCount, fresh, isLast }: BetterVectors) {
  const coded = fresh.map(({ key, vector }) => ({ key, vector: quantise(vector, vector.length) }));
  const isShort = chunkCount <= WRITTEN_WHOLE;
  if (!isShort && !isLast) {
    if (coded.length === 0) return;
    const changed = await noteChange(db);
    const rows = coded.map(({ key, vector }) => [key, doc, vector, changed]);
    await db.insert(REFINED, rows);
    return;
  }
  const apart = isShort ? [] : await readRefined(db, doc);
  if (coded.length + apart.length === 0) return;
  await writeSegment(db, doc, [...apart, ...coded]);
  await db.run(sql`DELETE FROM refined_vectors WHERE doc = ${doc}`);
  const changed = await noteChange(db);
  await db.run(sql`UPDATE encodings SET changed = ${changed} WHERE doc = ${doc}`);
}

/** Readers watch this number to notice new vectors; nothing visible in the document has changed. */
async function noteChange(db: Connection): Promise<number> {
  const state = await db.one<{ changes: number }>(
    sql`UPDATE state SET changes = changes + 1 WHERE id = 1 RETURNING changes`,
  );
  return Number(state?.changes);
}

/** New vectors of a long document that are not part of its segment yet. */
function readRefined(db: Connection, doc: number): Promise<readonly CodedVector[]> {
  return db.all<CodedVector>(sql`SELECT key, vector FROM refined_vectors WHERE doc = ${doc}`);
}

const segmentOf = (doc: number) =>
  sql`SELECT first_key, count, dimensions, vectors FROM segments WHERE doc = ${doc}`;

interface SegmentRow {
  readonly first_key: number;
  readonly count: number;
  readonly dimensions: number;
  readonly vectors: Uint8Array | null;
}

async function writeSegment(
  db: Connection,
  doc: number,
  fresh: readonly CodedVector[],
): Promise<void> {
  const segment = await db.one<SegmentRow>(segmentOf(doc));
  const dimensions = (fresh[0]?.vector.length ?? 0) - 4;
  if (!segment || dimensions <= 0) return;
  const { first_key: firstKey, count } = segment;
  const bytes =
    segment.vectors && segment.dimensions === dimensions
      ? segment.vectors.slice()
      : new Uint8Array(count * (dimensions + 4));
  for (const { key, vector } of fresh) {
    const at = key - firstKey;
    bytes.set(vector.subarray(0, dimensions), at * dimensions);
    bytes.set(vector.subarray(dimensions), count * dimensions + at * 4);
  }
  const present = countVectors(bytes, count, dimensions);
  await db.together([
    sql`UPDATE segments SET dimensions = ${dimensions}, vectors = ${bytes}
      WHERE first_key = ${firstKey}`,
    sql`UPDATE documents SET vector_count = ${present} WHERE doc = ${doc}`,
  ]);
}

function countVectors(bytes: Uint8Array, count: number, dimensions: number): number {
  const scales = new DataView(bytes.buffer, bytes.byteOffset + count * dimensions);
  let present = 0;
  for (let at = 0; at < count; at++) if (scales.getFloat32(at * 4, true) !== 0) present++;
  return present;
}
