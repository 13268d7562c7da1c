// Vectors as rows of pgvector's type, and their search: one HNSW index per number of dimensions, or an exact comparison
// if a filter is narrow.
import type { SearchFilter } from "../../domain/passage.ts";
import { conditions, hasOtherModels, ofModel } from "../documents/filter.ts";
import type { Hit, VectorQuery } from "../ports/documents.ts";
import { type Connection, type Engine, NOTHING, oneOf, type Sql, sql, verbatim } from "../sql.ts";
import type { Vectors } from "../vectors.ts";
import type { AllowedDocuments } from "../words/lexical.ts";

/** Half precision has a little over three digits; sending more would waste bytes. */
function toVectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toPrecision(5)).join(",")}]`;
}

const VECTORS = {
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
  ...VECTORS,
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

export const VECTOR_ROWS: Vectors = {
  async insert(db, { doc, keys, chunks: { dimensions, vectors } }) {
    if (dimensions === 0) return;
    const keyed = keys.map((key, at) => {
      return { key, vector: vectors.subarray(at * dimensions, (at + 1) * dimensions) };
    });
    await db.insert(VECTORS, toRows(db, doc, keyed));
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

/** The most dimensions that pgvector can index; longer vectors are compared one by one. */
const MAX_INDEXED_DIMENSIONS = 4_000;

/** This many vectors are compared exactly in about 10 ms; with a filter this narrow the index takes longer. */
const NARROW_CHUNKS = 10_000;

export async function searchNearest(db: Connection, query: VectorQuery): Promise<readonly Hit[]> {
  const { vector, model, limit } = query;
  const type = vectorType(vector.length);
  const length = verbatim(String(vector.length));
  // Sent once, because a vector is a long parameter.
  const distance = sql`v.embedding::${type} <=> ${toVectorText(vector)}::${type} AS distance`;
  const order = sql`ORDER BY distance LIMIT ${limit}`;
  const all = sql`FROM vectors v WHERE v.kb = ${db.kb} AND v.dimensions = ${length}`;
  const filter = conditions(db, query.filter);
  const mixed = model === undefined ? sql`false` : hasOtherModels(db, model);
  if (!filter) {
    // Checked in the same query as the search, whose result is discarded in the rare case that there are other vectors.
    const found = await db.one<NearestLists & { mixed: boolean }>(sql`
      SELECT ${AS_LISTS}, ${mixed} AS mixed FROM (SELECT v.key, ${distance} ${all} ${order}) near`);
    if (found?.mixed !== true) return ranked(found);
  }
  const others = await db.one<{ mixed: boolean }>(sql`SELECT ${mixed} AS mixed`);
  const own = model !== undefined && others?.mixed ? sql`AND ${ofModel(model)}` : NOTHING;
  const allowed = sql`SELECT d.doc FROM documents d WHERE d.kb = ${db.kb} ${filter ?? NOTHING} ${own}`;
  const within =
    (await countAllowed(db, filter ?? NOTHING)) <= NARROW_CHUNKS
      ? sql`WITH allowed AS MATERIALIZED (${allowed}), few AS MATERIALIZED (
          SELECT v.key, v.embedding FROM allowed JOIN vectors v
            ON v.kb = ${db.kb} AND v.doc = allowed.doc AND v.dimensions = ${length}
        ) SELECT v.key, ${distance} FROM few v ${order}`
      : sql`SELECT v.key, ${distance} ${all} AND v.doc IN (${allowed}) ${order}`;
  return ranked(await db.one<NearestLists>(sql`SELECT ${AS_LISTS} FROM (${within}) near`));
}

async function countAllowed(db: Connection, filter: Sql): Promise<number> {
  const row = await db.one<{ chunks: number }>(sql`
    SELECT coalesce(sum(d.chunk_count), 0)::integer AS chunks FROM documents d
    WHERE d.kb = ${db.kb} ${filter}`);
  return row?.chunks ?? 0;
}

interface NearestLists {
  readonly keys: readonly number[] | null;
  readonly distances: readonly number[] | null;
}

/** Returned as arrays, because unpacking hundreds of rows would take longer than finding them. */
const AS_LISTS = sql`array_agg(key) AS keys, array_agg(distance) AS distances`;

/** Sorted again, because the index returns them only almost in order. */
function ranked({ keys, distances }: NearestLists = { keys: [], distances: [] }): readonly Hit[] {
  return (keys ?? [])
    .map((key, at) => ({ key, score: 1 - (distances?.[at] as number) }))
    .sort((a, b) => b.score - a.score || a.key - b.key);
}

/** If a filter allows at most this many documents, they are fetched; if it allows more, the best hits are checked. */
const MAX_LISTED = 2_000;

export async function findAllowed(db: Connection, filter: SearchFilter): Promise<AllowedDocuments> {
  const where = conditions(db, filter);
  if (!where) return {};
  const row = await db.one<{ docs: readonly number[] | null }>(sql`
    SELECT array_agg(doc) AS docs FROM (SELECT d.doc FROM documents d
      WHERE d.kb = ${db.kb} ${where} LIMIT ${MAX_LISTED + 1}) allowed`);
  const docs = new Set(row?.docs);
  if (docs.size <= MAX_LISTED) return { allows: (doc) => docs.has(doc) };
  return {
    async check(keys) {
      const rows = await db.all<{ key: number }>(sql`
        SELECT c.key FROM chunks c JOIN documents d ON d.kb = c.kb AND d.doc = c.doc
        WHERE c.kb = ${db.kb} AND c.key ${oneOf("bigint", keys)} ${where}`);
      return new Set(rows.map(({ key }) => key));
    },
  };
}

/** Creates an index when the first vector of a length is stored. */
export function openVectorIndexes(engine: Engine) {
  const made = new Map<number, Promise<void>>();
  return (dimensions: number): Promise<void> => {
    if (dimensions === 0 || dimensions > MAX_INDEXED_DIMENSIONS) return Promise.resolve();
    const making = made.get(dimensions) ?? makeIndex(engine, dimensions);
    made.set(dimensions, making);
    making.catch(() => made.delete(dimensions));
    return making;
  };
}

async function makeIndex({ read, write }: Engine, dimensions: number): Promise<void> {
  const name = `vectors_hnsw_${dimensions}`;
  const found = await read((db) =>
    db.one(sql`SELECT 1 FROM pg_indexes
      WHERE schemaname = 'knowledge' AND indexname = ${name}`),
  );
  if (found) return;
  await write(async (db) => {
    await db.run(db.dialect.unlimited);
    await db.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
    await db.run(sql`CREATE INDEX IF NOT EXISTS ${verbatim(name)} ON vectors
      USING hnsw ((embedding::${vectorType(dimensions)}) halfvec_cosine_ops)
      WHERE dimensions = ${verbatim(String(dimensions))}`);
  });
}

/** The length is part of the type and cannot be a parameter, so it is checked to be an integer. */
function vectorType(dimensions: number): Sql {
  if (!Number.isInteger(dimensions) || dimensions < 1) throw new RangeError("vector length");
  return verbatim(`halfvec(${dimensions})`);
}
