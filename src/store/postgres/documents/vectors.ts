// Vectors as rows of pgvector's type.
import { type Connection, sql } from "../../sql.ts";
import type { Vectors } from "../../vectors.ts";

/** Half precision has a little over three digits; sending more would waste bytes. */
export function toVectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toPrecision(5)).join(",")}]`;
}

const COLUMNS = {
  table: "vectors",
  columns: {
    kb: "integer",
    key: "bigint",
    doc: "bigint",
    dimensions: "integer",
    embedding: "halfvec",
  },
} as const;
const REPLACED = {
  ...COLUMNS,
  after: sql`ON CONFLICT (kb, key) DO UPDATE
    SET dimensions = excluded.dimensions, embedding = excluded.embedding`,
};

interface KeyedVector {
  readonly key: number;
  readonly vector: Float32Array;
}

/** A zero vector has no direction and therefore no neighbours. */
function toRows(db: Connection, doc: number, vectors: readonly KeyedVector[]) {
  const directed = vectors.filter(({ vector }) => vector.some((value) => value !== 0));
  return directed.map(({ key, vector }) => {
    return [db.kb, key, doc, vector.length, toVectorText(vector)];
  });
}

export function openVectors(): Vectors {
  return {
    async insert(db, { doc, keys, chunks: { dimensions, vectors } }) {
      if (dimensions === 0) return;
      const keyed = keys.map((key, at) => {
        return { key, vector: vectors.subarray(at * dimensions, (at + 1) * dimensions) };
      });
      await db.insert(COLUMNS, toRows(db, doc, keyed));
    },
    async replace(db, { doc, fresh }) {
      if ((await db.insert(REPLACED, toRows(db, doc, fresh))) === 0) return;
      await db.run(sql`UPDATE documents SET vector_count =
          (SELECT count(*) FROM vectors v WHERE v.kb = ${db.kb} AND v.doc = ${doc})
        WHERE kb = ${db.kb} AND doc = ${doc} AND vector_count < chunk_count`);
    },
    async read(db, doc) {
      const rows = await db.all<{ key: number; embedding: string }>(sql`
        SELECT key, embedding::text AS embedding FROM vectors WHERE kb = ${db.kb} AND doc = ${doc}`);
      return new Map(
        rows.map(({ key, embedding }) => {
          return [key, Float32Array.from(JSON.parse(embedding) as number[])];
        }),
      );
    },
    async remove(db, doc) {
      await db.run(sql`DELETE FROM vectors WHERE kb = ${db.kb} AND doc = ${doc}`);
    },
    async clear(db) {
      await db.run(sql`DELETE FROM vectors WHERE kb = ${db.kb}`);
    },
  };
}
