// Converts database rows to domain objects.
import type { StoredDocument } from "../../domain/document.ts";
import type { Task } from "../../domain/task.ts";
import { readRequest } from "../core/read-task.ts";
import {
  type ChunkDetail,
  type ChunkFields,
  type DocumentFields,
  type TaskFields,
  toChunkSource,
  toStoredChunk,
  toStoredDocument,
  toStoredTask,
} from "../core/rows.ts";
import type { StoredChunk } from "../store.ts";
import type { Sql } from "./connection.ts";

export interface DocumentRow extends DocumentFields {
  readonly date_added: Date;
  readonly pages: StoredDocument["pages"];
  readonly warnings: readonly string[];
  readonly metadata: unknown;
}

export const documentColumns = (sql: Sql) => sql`
  d.doc, d.id, d.filename, d.source_path, d.content_hash, d.format, d.size_bytes, d.title, d.date_added,
  d.chunk_count, d.method, d.pages, d.warnings, d.metadata`;

export function toDocument(row: DocumentRow): StoredDocument {
  return toStoredDocument(row, { ...row, dateAdded: row.date_added.toISOString() });
}

export interface ChunkRow extends ChunkFields {
  readonly detail: ChunkDetail;
}

export const chunkColumns = (sql: Sql) =>
  sql`c.key, c.doc, c.ordinal, c.start, c."end", c.text, c.detail`;

type SourceRow = Pick<
  DocumentRow,
  "id" | "filename" | "format" | "title" | "date_added" | "metadata"
>;

/** A chunk joined with the document fields that its passage shows, to save a round trip. */
export type SourcedChunkRow = ChunkRow & SourceRow;

export const sourcedChunkColumns = (sql: Sql) =>
  sql`${chunkColumns(sql)}, d.id, d.filename, d.format, d.title, d.date_added, d.metadata`;

export function toChunk(row: SourcedChunkRow): StoredChunk {
  const dateAdded = row.date_added.toISOString();
  const document = toChunkSource(row, { dateAdded, metadata: row.metadata });
  return toStoredChunk(row, document, row.detail);
}

export interface TaskRow extends TaskFields {
  readonly request: unknown;
  readonly progress: unknown;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly result: unknown;
  readonly failure: unknown;
}

export const taskColumns = (sql: Sql) =>
  sql`id, status, content_hash, request, progress, created_at, started_at, finished_at, attempts, worker, result, failure`;

export function toTask(row: TaskRow): Task {
  return toStoredTask(row, {
    ...row,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString(),
    finishedAt: row.finished_at?.toISOString(),
  });
}

/** Whether its request can be parsed. */
export function isReadable(row: TaskRow): boolean {
  return readRequest(row.request) !== undefined;
}
