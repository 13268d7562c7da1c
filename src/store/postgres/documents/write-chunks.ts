// The chunks of one document: their rows, their vectors and their terms.

import type { ChunkDetail } from "../../core/rows.ts";
import type { IndexedChunk } from "../../store.ts";
import type { Sql } from "../connection.ts";
import { joinTerms, splitTerms } from "../words/postings.ts";
import { writeSegment } from "../words/segments.ts";
import { toVectorText } from "./nearest.ts";

export function reserveKeys(sql: Sql, count: number) {
  return sql<{ key: number }[]>`
    SELECT nextval('knowledge.chunk_keys') AS key FROM generate_series(1, ${count})`;
}

interface NewChunks {
  readonly doc: number;
  /** One per chunk. */
  readonly keys: readonly { readonly key: number }[];
  readonly text: string;
  readonly chunks: readonly IndexedChunk[];
}

/** Returns how many chunks have vectors. */
export async function insertChunks(
  sql: Sql,
  kb: number,
  { doc, keys, text, chunks }: NewChunks,
): Promise<number> {
  if (chunks.length === 0) return 0;
  const keyed = chunks.map((chunk, index) => ({ ...chunk, key: keys[index]?.key as number }));
  const embedded = keyed.filter(hasVector);
  const statements = [
    sql`INSERT INTO knowledge.chunks (kb, key, doc, ordinal, start, "end", text, detail, terms)
      SELECT ${kb}, key, ${doc}, ordinal, start, "end", text, detail, terms
      FROM unnest(${keyed.map((c) => c.key)}::bigint[], ${keyed.map((c) => c.ordinal)}::integer[],
        ${keyed.map((c) => c.start)}::integer[], ${keyed.map((c) => c.end)}::integer[],
        ${keyed.map((c) => text.slice(c.start, c.end))}::text[],
        ${keyed.map(toDetail)}::jsonb[], ${keyed.map((c) => joinTerms(c.terms))}::text[])
        AS t (key, ordinal, start, "end", text, detail, terms)`,
    writeSegment(sql, kb, { kind: "add", chunks: keyed }),
  ];
  if (embedded.length > 0) {
    statements.push(
      sql`INSERT INTO knowledge.vectors (kb, key, doc, dimensions, embedding)
        SELECT ${kb}, key, ${doc}, vector_dims(embedding::halfvec), embedding::halfvec
        FROM unnest(${embedded.map((c) => c.key)}::bigint[],
          ${embedded.map((c) => toVectorText(c.vector))}::text[]) AS t (key, embedding)`,
    );
  }
  // Sent together: one wait instead of three.
  await Promise.all(statements);
  return embedded.length;
}

export function hasVector<T extends IndexedChunk>(chunk: T): chunk is T & { vector: Float32Array } {
  // A zero vector has no direction and therefore no neighbours.
  return chunk.vector?.some((value) => value !== 0) === true;
}

function toDetail({ place, until, headings, tableHeader }: IndexedChunk): ChunkDetail {
  return {
    place,
    ...(until === undefined ? {} : { until }),
    headings,
    ...(tableHeader === undefined ? {} : { tableHeader }),
  };
}

interface ChunkTermsRow {
  readonly key: number;
  readonly terms: string;
}

export function deleteChunks(sql: Sql, kb: number, doc: number) {
  const chunks = sql<ChunkTermsRow[]>`
    DELETE FROM knowledge.chunks WHERE kb = ${kb} AND doc = ${doc} RETURNING key, terms`;
  const vectors = sql`DELETE FROM knowledge.vectors WHERE kb = ${kb} AND doc = ${doc}`;
  return [chunks, vectors] as const;
}

export async function forgetTerms(
  sql: Sql,
  kb: number,
  rows: readonly ChunkTermsRow[],
): Promise<void> {
  const chunks = rows.map(({ key, terms }) => ({ key, terms: splitTerms(terms) }));
  await writeSegment(sql, kb, { kind: "remove", chunks });
}
