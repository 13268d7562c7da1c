// Rows as the database gives them, and what they are in the domain.
import type { Chunk, StoredDocument } from "../../domain/document.ts";
import { fittingMetadata, UNREADABLE_METADATA } from "../../domain/metadata.ts";
import type { Task } from "../../domain/task.ts";
import { chunkId } from "../core/chunk-id.ts";
import { readOutcome, readProgress, readRequest, unreadableRequest } from "../core/read-task.ts";
import type { StoredChunk } from "../store.ts";
import type { Sql } from "./connection.ts";

export interface DocumentRow {
  readonly doc: number;
  readonly id: string;
  readonly filename: string;
  readonly source_path: string | null;
  readonly content_hash: string;
  readonly format: StoredDocument["format"];
  readonly size_bytes: number;
  readonly title: string | null;
  readonly date_added: Date;
  readonly chunk_count: number;
  readonly method: StoredDocument["method"];
  readonly pages: StoredDocument["pages"];
  readonly warnings: readonly string[];
  readonly metadata: unknown;
}

export const documentColumns = (sql: Sql) => sql`
  d.doc, d.id, d.filename, d.source_path, d.content_hash, d.format, d.size_bytes, d.title, d.date_added,
  d.chunk_count, d.method, d.pages, d.warnings, d.metadata`;

export function toDocument(row: DocumentRow): StoredDocument {
  return {
    id: row.id,
    filename: row.filename,
    ...(row.source_path === null ? {} : { sourcePath: row.source_path }),
    contentHash: row.content_hash,
    format: row.format,
    sizeBytes: row.size_bytes,
    ...(row.title === null ? {} : { title: row.title }),
    dateAdded: row.date_added.toISOString(),
    chunkCount: row.chunk_count,
    method: row.method,
    pages: row.pages,
    ...readMetadata(row),
  };
}

function readMetadata({ metadata, warnings }: Pick<DocumentRow, "metadata" | "warnings">) {
  const fitting = fittingMetadata(metadata);
  if (fitting !== undefined) return { metadata: fitting, warnings };
  return { metadata: {}, warnings: [...warnings, UNREADABLE_METADATA] };
}

export type ChunkDetail = Pick<Chunk, "place" | "until" | "headings" | "tableHeader">;

export interface ChunkRow {
  readonly key: number;
  readonly doc: number;
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly detail: ChunkDetail;
}

export const chunkColumns = (sql: Sql) =>
  sql`c.key, c.doc, c.ordinal, c.start, c."end", c.text, c.detail`;

type SourceRow = Pick<
  DocumentRow,
  "id" | "filename" | "format" | "title" | "date_added" | "metadata"
>;

/** A chunk with what its passage shows of the document: read together, a round trip is saved. */
export type SourcedChunkRow = ChunkRow & SourceRow;

export const sourcedChunkColumns = (sql: Sql) =>
  sql`${chunkColumns(sql)}, d.id, d.filename, d.format, d.title, d.date_added, d.metadata`;

export function toChunk(row: SourcedChunkRow): StoredChunk {
  const { key, ordinal, start, end, text } = row;
  const document = {
    id: row.id,
    filename: row.filename,
    format: row.format,
    ...(row.title === null ? {} : { title: row.title }),
    dateAdded: row.date_added.toISOString(),
    metadata: fittingMetadata(row.metadata) ?? {},
  };
  const id = chunkId(row.id, ordinal);
  return { key, id, document, ordinal, start, end, text, ...row.detail };
}

export interface TaskRow {
  readonly id: string;
  readonly status: Task["status"];
  readonly content_hash: string;
  readonly request: unknown;
  readonly progress: unknown;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly attempts: number;
  readonly worker: string | null;
  readonly result: unknown;
  readonly failure: unknown;
}

export const taskColumns = (sql: Sql) =>
  sql`id, status, content_hash, request, progress, created_at, started_at, finished_at, attempts, worker, result, failure`;

export function toTask(row: TaskRow): Task {
  return {
    id: row.id,
    status: row.status,
    request: readRequest(row.request) ?? unreadableRequest(row.content_hash),
    progress: readProgress(row.progress),
    createdAt: row.created_at.toISOString(),
    ...(row.started_at === null ? {} : { startedAt: row.started_at.toISOString() }),
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at.toISOString() }),
    attempts: row.attempts,
    ...(row.worker === null ? {} : { worker: row.worker }),
    ...readOutcome(row),
  };
}

/** Whether the work that it asks for can be read from it. */
export function isReadable(row: TaskRow): boolean {
  return readRequest(row.request) !== undefined;
}
