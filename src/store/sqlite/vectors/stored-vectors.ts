// A row for each vector, and the bits of a few hundred in a row, which readers load into memory. A better vector is the
// only thing about a chunk that ever changes.
import { type Connection, sql } from "../../sql.ts";
import type { BetterVectors, NewVectors, Vectors } from "../../vectors.ts";
import { bitBytes } from "./kernel.ts";
import { codesOf, packSigns, quantise, restore } from "./quantise.ts";

/** About 12 kB: a row is written whole when one of its vectors changes. */
const VECTORS_PER_ROW = 256;

/** Readers that are more than this many changes behind reload everything. */
const CHANGES_KEPT = 10_000;

export const STORED_VECTORS: Vectors = {
  insert,
  replace,
  async read(db, doc) {
    const rows = await db.all<{ key: number; vector: Uint8Array }>(sql`SELECT v.key, v.vector
      FROM chunks c JOIN vectors v ON v.key = c.key WHERE c.kb = ${db.kb} AND c.doc = ${doc}`);
    return new Map(rows.map(({ key, vector }) => [key, restore(vector)]));
  },
  async remove(db, doc, keys) {
    const changes = await nextChange(db);
    await db.together([
      sql`DELETE FROM vectors WHERE key BETWEEN ${keys[0] as number} AND ${keys.at(-1) as number}`,
      // The empty rows tell readers in other processes what is gone.
      sql`UPDATE vector_bits SET doc = 0, bits = NULL, changed = ${changes} WHERE doc = ${doc}`,
      sql`DELETE FROM vector_bits WHERE doc = 0 AND changed <= ${changes - CHANGES_KEPT}`,
    ]);
    await reloadBefore(db, changes - CHANGES_KEPT);
  },
  async clear(db) {
    await db.together([sql`DELETE FROM vectors`, sql`DELETE FROM vector_bits`]);
    await reloadBefore(db, await nextChange(db));
  },
};

async function nextChange(db: Connection): Promise<number> {
  const base = await db.one<{ changes: number }>(
    sql`UPDATE bases SET changes = changes + 1 WHERE kb = ${db.kb} RETURNING changes`,
  );
  return Number(base?.changes);
}

async function reloadBefore(db: Connection, changes: number): Promise<void> {
  await db.run(sql`UPDATE bases SET reload_before = max(reload_before, ${changes})
    WHERE kb = ${db.kb}`);
}

const VECTORS = {
  table: "vectors",
  columns: { key: "bigint", vector: "bytea" },
  after: sql`ON CONFLICT (key) DO UPDATE SET vector = excluded.vector`,
} as const;

async function insert(db: Connection, { doc, keys, chunks }: NewVectors): Promise<void> {
  const { dimensions, vectors } = chunks;
  const changes = await nextChange(db);
  const width = bitBytes(dimensions);
  for (let from = 0; from < keys.length; from += VECTORS_PER_ROW) {
    const part = keys.slice(from, from + VECTORS_PER_ROW);
    const bits = new Uint8Array(part.length * width);
    const rows = part.flatMap((key, at) => {
      const vector = vectors.subarray((from + at) * dimensions, (from + at + 1) * dimensions);
      const coded = quantise(vector);
      if (!coded) return [];
      packSigns(codesOf(coded), bits.subarray(at * width, (at + 1) * width));
      return [[key, coded]];
    });
    await db.insert(VECTORS, rows);
    await db.run(sql`INSERT INTO vector_bits (first_key, doc, count, dimensions, bits, changed)
      VALUES (${part[0] as number}, ${doc}, ${part.length}, ${dimensions},
        ${dimensions === 0 ? null : bits}, ${changes})`);
  }
}

interface BitsRow {
  readonly first_key: number;
  readonly count: number;
  readonly dimensions: number;
  readonly bits: Uint8Array | null;
}

async function replace(db: Connection, { doc, fresh }: BetterVectors): Promise<void> {
  const coded = fresh.flatMap(({ key, vector }) => {
    const bytes = quantise(vector);
    return bytes ? [{ key, bytes, dimensions: vector.length }] : [];
  });
  if (coded.length === 0) return;
  const changes = await nextChange(db);
  const keys = coded.map(({ key }) => key);
  const touched =
    await db.all<BitsRow>(sql`SELECT first_key, count, dimensions, bits FROM vector_bits
    WHERE doc = ${doc} AND first_key + count > ${Math.min(...keys)} AND first_key <= ${Math.max(...keys)}`);
  for (const row of touched) {
    const { first_key: first, count } = row;
    const own = coded.filter(({ key }) => key >= first && key < first + count);
    const [{ dimensions } = { dimensions: 0 }] = own;
    if (dimensions === 0) continue;
    const width = bitBytes(dimensions);
    const isSame = row.bits !== null && row.dimensions === dimensions;
    const bits = isSame ? (row.bits as Uint8Array).slice() : new Uint8Array(count * width);
    for (const { key, bytes } of own)
      packSigns(codesOf(bytes), bits.subarray((key - first) * width, (key - first + 1) * width));
    if (!isSame)
      await db.run(sql`DELETE FROM vectors WHERE key >= ${first} AND key < ${first + count}`);
    await db.insert(
      VECTORS,
      own.map(({ key, bytes }) => [key, bytes]),
    );
    await db.run(sql`UPDATE vector_bits SET dimensions = ${dimensions}, bits = ${bits},
      changed = ${changes} WHERE first_key = ${first}`);
  }
  await db.run(sql`UPDATE documents SET vector_count = (SELECT count(*) FROM chunks c
      JOIN vectors v ON v.key = c.key WHERE c.kb = ${db.kb} AND c.doc = ${doc})
    WHERE kb = ${db.kb} AND doc = ${doc} AND vector_count < chunk_count`);
}
