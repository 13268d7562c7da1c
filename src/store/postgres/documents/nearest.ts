// Vector search: one HNSW index per number of dimensions, or an exact comparison if a filter is narrow.
import type { Hit, VectorQuery } from "../../store.ts";
import type { Sql } from "../connection.ts";
import type { Database } from "../database.ts";
import { countAllowed } from "./allowed-chunks.ts";
import { conditions, isFiltering } from "./filter.ts";

/** The most dimensions that pgvector can index; longer vectors are compared one by one. */
const MAX_INDEXED_DIMENSIONS = 4_000;

/** This many vectors are compared exactly in about 10 ms; with a filter this narrow the index takes longer. */
const NARROW_CHUNKS = 10_000;

export async function searchNearest(
  sql: Sql,
  kb: number,
  query: VectorQuery,
): Promise<readonly Hit[]> {
  const { vector, model, limit, filter = {} } = query;
  const type = vectorType(sql, vector.length);
  const length = sql.unsafe(String(vector.length));
  // Sent once, because a vector is a long parameter.
  const distance = sql`v.embedding::${type} <=> ${toVectorText(vector)}::${type} AS distance`;
  const order = sql`ORDER BY distance LIMIT ${limit}`;
  const all = sql`FROM knowledge.vectors v WHERE v.kb = ${kb} AND v.dimensions = ${length}`;
  if (!isFiltering(filter)) {
    // Checked in the same query as the search, whose result is discarded in the rare case that there are other vectors.
    const mixed = model === undefined ? sql`false` : hasOtherModels(sql, kb, model);
    const [found] = await sql<(Near & { mixed: boolean | null })[]>`
      SELECT ${asLists(sql)}, ${mixed} AS mixed FROM (SELECT v.key, ${distance} ${all} ${order}) near`;
    if (found?.mixed !== true) return ranked(found);
  }
  const others = model !== undefined && (await hasOthers(sql, kb, model));
  const allowed = sql`SELECT d.doc FROM knowledge.documents d WHERE d.kb = ${kb} ${conditions(sql, filter)}
    ${others ? sql`AND starts_with(d.fingerprint, ${`${model}+`})` : sql``}`;
  const within =
    (await countAllowed(sql, kb, filter)) <= NARROW_CHUNKS
      ? sql`WITH allowed AS MATERIALIZED (${allowed}), few AS MATERIALIZED (
          SELECT v.key, v.embedding FROM allowed JOIN knowledge.vectors v
            ON v.kb = ${kb} AND v.doc = allowed.doc AND v.dimensions = ${length}
        ) SELECT v.key, ${distance} FROM few v ${order}`
      : sql`SELECT v.key, ${distance} ${all} AND v.doc IN (${allowed}) ${order}`;
  const [found] = await sql<Near[]>`SELECT ${asLists(sql)} FROM (${within}) near`;
  return ranked(found);
}

/** Whether any document has another model's vectors; takes two index lookups. */
function hasOtherModels(sql: Sql, kb: number, model: string) {
  const own = `${model}+`;
  return sql`(SELECT NOT (starts_with(min(fingerprint COLLATE "C"), ${own})
      AND starts_with(max(fingerprint COLLATE "C"), ${own}))
    FROM knowledge.documents WHERE kb = ${kb})`;
}

async function hasOthers(sql: Sql, kb: number, model: string): Promise<boolean> {
  const [row] = await sql<{ mixed: boolean | null }[]>`
    SELECT ${hasOtherModels(sql, kb, model)} AS mixed`;
  return row?.mixed ?? false;
}

interface Near {
  readonly keys: readonly number[] | null;
  readonly distances: readonly number[] | null;
}

/** Returned as arrays, because unpacking hundreds of rows would take longer than finding them. */
const asLists = (sql: Sql) => sql`array_agg(key) AS keys, array_agg(distance) AS distances`;

/** Sorted again, because the index returns them only almost in order. */
function ranked({ keys, distances }: Near = { keys: [], distances: [] }): readonly Hit[] {
  return (keys ?? [])
    .map((key, at) => ({ key, score: 1 - (distances?.[at] as number) }))
    .sort((a, b) => b.score - a.score || a.key - b.key);
}

/** Creates an index when the first vector of a length is stored. */
export function openVectorIndexes(database: Database) {
  const made = new Map<number, Promise<void>>();
  return (dimensions: number): Promise<void> => {
    if (dimensions === 0 || dimensions > MAX_INDEXED_DIMENSIONS) return Promise.resolve();
    const known = made.get(dimensions);
    if (known !== undefined) return known;
    const making = makeIndex(database, dimensions);
    made.set(dimensions, making);
    making.catch(() => made.delete(dimensions));
    return making;
  };
}

async function makeIndex({ read, write }: Database, dimensions: number): Promise<void> {
  const name = `vectors_hnsw_${dimensions}`;
  const found = await read(
    (sql) => sql`SELECT 1 FROM pg_indexes
      WHERE schemaname = 'knowledge' AND indexname = ${name}`,
  );
  if (found.length > 0) return;
  await write(async (sql) => {
    await sql`SET LOCAL statement_timeout = 0`;
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
    const length = sql.unsafe(String(dimensions));
    await sql`CREATE INDEX IF NOT EXISTS ${sql(name)} ON knowledge.vectors
      USING hnsw ((embedding::${vectorType(sql, dimensions)}) halfvec_cosine_ops)
      WHERE dimensions = ${length}`;
  });
}

/** The length is part of the type and cannot be a parameter, so it is checked to be an integer. */
function vectorType(sql: Sql, dimensions: number) {
  if (!Number.isInteger(dimensions) || dimensions < 1) throw new RangeError("vector length");
  return sql.unsafe(`halfvec(${dimensions})`);
}

/** Half precision has a little over three digits; sending more would waste bytes. */
export function toVectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toPrecision(5)).join(",")}]`;
}
