// The vectors of a document, a few hundred in a row, as readers load them. A better vector is the only thing about a chunk
// that ever changes. Removed keys are logged, so that readers in other processes can follow.
import { type Connection, type Sql, sql } from "../../sql.ts";
import type { BetterVectors, NewVectors, Vectors } from "../../vectors.ts";
import { quantise, restore } from "./quantise.ts";

/** About 100 kB: a row is written whole when one of its vectors changes. */
const VECTORS_PER_ROW = 256;

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
      await db.run(sql`DELETE FROM segments`);
      await noteRemoval(db, 0, Number(state?.next_key) - 1);
    },
  };
}

async function insert(db: Connection, { doc, keys, chunks }: NewVectors): Promise<void> {
  const { dimensions, vectors } = chunks;
  for (let from = 0; from < keys.length; from += VECTORS_PER_ROW) {
    const part = keys.slice(from, from + VECTORS_PER_ROW);
    const own = vectors.subarray(from * dimensions, (from + part.length) * dimensions);
    const bytes = dimensions === 0 ? null : quantise(own, dimensions);
    await db.run(sql`INSERT INTO segments (first_key, doc, count, dimensions, vectors)
      VALUES (${part[0] as number}, ${doc}, ${part.length}, ${dimensions}, ${bytes})`);
  }
}

async function read(db: Connection, doc: number): Promise<ReadonlyMap<number, Float32Array>> {
  const found = new Map<number, Float32Array>();
  for (const segment of await readSegments(db, sql`doc = ${doc}`)) {
    const stored = segment.vectors ? restore(segment.vectors, segment.dimensions) : [];
    for (const [at, vector] of stored.entries())
      if (vector) found.set(segment.first_key + at, vector);
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

interface SegmentRow {
  readonly first_key: number;
  readonly count: number;
  readonly dimensions: number;
  readonly vectors: Uint8Array | null;
}

function readSegments(db: Connection, where: Sql): Promise<readonly SegmentRow[]> {
  return db.all(sql`SELECT first_key, count, dimensions, vectors FROM segments WHERE ${where}`);
}

async function replace(db: Connection, { doc, fresh }: BetterVectors): Promise<void> {
  if (fresh.length === 0) return;
  // Readers watch this number to notice new vectors; nothing visible in the document has changed.
  const state = await db.one<{ changes: number }>(
    sql`UPDATE state SET changes = changes + 1 WHERE id = 1 RETURNING changes`,
  );
  const keys = fresh.map(({ key }) => key);
  const touched = sql`doc = ${doc} AND first_key + count > ${Math.min(...keys)}
    AND first_key <= ${Math.max(...keys)}`;
  let added = 0;
  for (const segment of await readSegments(db, touched)) {
    const { first_key: first, count } = segment;
    const own = fresh.filter(({ key }) => key >= first && key < first + count);
    const [dimensions = 0] = own.map(({ vector }) => vector.length);
    if (dimensions === 0) continue;
    const bytes = withVectors(segment, own, dimensions);
    added += countVectors(bytes, count) - countVectors(segment.vectors, count);
    await db.run(sql`UPDATE segments SET dimensions = ${dimensions}, vectors = ${bytes},
      changed = ${Number(state?.changes)} WHERE first_key = ${first}`);
  }
  await db.run(sql`UPDATE documents SET vector_count = vector_count + ${added} WHERE doc = ${doc}`);
}

function withVectors(segment: SegmentRow, own: BetterVectors["fresh"], dimensions: number) {
  const { first_key: first, count, vectors } = segment;
  const isSame = vectors !== null && segment.dimensions === dimensions;
  const bytes = isSame ? vectors.slice() : new Uint8Array(count * (dimensions + 4));
  for (const { key, vector } of own) {
    const coded = quantise(vector, dimensions);
    bytes.set(coded.subarray(0, dimensions), (key - first) * dimensions);
    bytes.set(coded.subarray(dimensions), count * dimensions + (key - first) * 4);
  }
  return bytes;
}

/** Those whose scale, at the end, is not 0. */
function countVectors(bytes: Uint8Array | null, count: number): number {
  if (bytes === null) return 0;
  const scales = new DataView(bytes.buffer, bytes.byteOffset + bytes.byteLength - count * 4);
  return Array.from({ length: count }, (_, at) => scales.getFloat32(at * 4, true)).filter(Boolean)
    .length;
}
