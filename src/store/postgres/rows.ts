// The columns of PostgreSQL's tables; the driver parses JSON and times itself.
import {
  type ChunkRow as ChunkFields,
  type DocumentRow as DocumentFields,
  rowsStoredAs,
  type SourceRow,
  type TaskRow as TaskFields,
} from "../core/rows.ts";
import type { StoredChunk } from "../store.ts";
import type { Sql } from "./connection.ts";

export type DocumentRow = DocumentFields<unknown, Date>;
export type ChunkRow = ChunkFields<unknown>;
export type TaskRow = TaskFields<unknown, Date>;
/** A chunk joined with the document fields that its passage shows, to save a round trip. */
export type SourcedChunkRow = ChunkRow & SourceRow<unknown, Date>;

const rows = rowsStoredAs<unknown, Date>({
  json: (value) => value,
  time: (date) => date.toISOString(),
});
export const { readDetail, toDocument, toTask, isReadable } = rows;

export function toChunk(row: SourcedChunkRow): StoredChunk {
  return rows.toChunk(row, rows.toSource(row));
}

export const documentColumns = (sql: Sql) => sql`
  d.doc, d.id, d.filename, d.source_path, d.content_hash, d.format, d.size_bytes, d.title, d.date_added,
  d.chunk_count, d.method, d.pages, d.warnings, d.metadata`;

export const chunkColumns = (sql: Sql) =>
  sql`c.key, c.doc, c.ordinal, c.start, c."end", c.text, c.detail`;

export const sourcedChunkColumns = (sql: Sql) =>
  sql`${chunkColumns(sql)}, d.id, d.filename, d.format, d.title, d.date_added, d.metadata`;

export const taskColumns = (sql: Sql) =>
  sql`id, status, content_hash, request, progress, created_at, started_at, finished_at, attempts, worker, result, failure`;
