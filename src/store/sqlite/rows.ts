// Rows as the database gives them, and what they are in the domain.
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Block, ExtractedDocument, StoredDocument } from "../../domain/document.ts";
import type { Task } from "../../domain/task.ts";
import { chunkId } from "../chunk-id.ts";
import type { ChunkSource, StoredChunk } from "../store.ts";
import type { ChunkDetail } from "./wire.ts";

export interface DocumentRow {
  readonly doc: number;
  readonly id: string;
  readonly filename: string;
  readonly source_path: string | null;
  readonly content_hash: string;
  readonly format: StoredDocument["format"];
  readonly size_bytes: number;
  readonly title: string | null;
  readonly date_added: string;
  readonly method: StoredDocument["method"];
  readonly pages: string;
  readonly warnings: string;
  readonly metadata: string;
  readonly first_key: number;
  readonly chunk_count: number;
}

export const DOCUMENT_COLUMNS =
  "doc, id, filename, source_path, content_hash, format, size_bytes, title, date_added, method, pages, warnings, metadata, first_key, chunk_count";

export function toDocument(row: DocumentRow): StoredDocument {
  return {
    id: row.id,
    filename: row.filename,
    ...(row.source_path === null ? {} : { sourcePath: row.source_path }),
    contentHash: row.content_hash,
    format: row.format,
    sizeBytes: row.size_bytes,
    ...(row.title === null ? {} : { title: row.title }),
    dateAdded: row.date_added,
    chunkCount: row.chunk_count,
    method: row.method,
    pages: JSON.parse(row.pages) as StoredDocument["pages"],
    warnings: JSON.parse(row.warnings) as readonly string[],
    metadata: JSON.parse(row.metadata) as StoredDocument["metadata"],
  };
}

export interface ChunkRow {
  readonly key: number;
  readonly doc: number;
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly detail: string;
}

export const CHUNK_COLUMNS = `key, doc, ordinal, start, "end", text, detail`;

export type SourceRow = Pick<
  DocumentRow,
  "id" | "filename" | "format" | "title" | "date_added" | "metadata"
>;

export const SOURCE_COLUMNS = "id, filename, format, title, date_added, metadata";

export function toSource(row: SourceRow): ChunkSource {
  return {
    id: row.id,
    filename: row.filename,
    format: row.format,
    ...(row.title === null ? {} : { title: row.title }),
    dateAdded: row.date_added,
    metadata: JSON.parse(row.metadata) as ChunkSource["metadata"],
  };
}

export function toChunk(row: ChunkRow, document: ChunkSource): StoredChunk {
  return {
    key: row.key,
    id: chunkId(document.id, row.ordinal),
    document,
    ordinal: row.ordinal,
    start: row.start,
    end: row.end,
    text: row.text,
    ...(JSON.parse(row.detail) as ChunkDetail),
  };
}

/** The text and its blocks squeeze to about a third; they are read only when a whole document is shown. */
export function packText(extracted: ExtractedDocument): Uint8Array {
  return zstdCompressSync(JSON.stringify([extracted.text, extracted.blocks]));
}

export function unpackText(body: Uint8Array): { text: string; blocks: readonly Block[] } {
  const json = zstdDecompressSync(body).toString("utf8");
  const [text, blocks] = JSON.parse(json) as [string, Block[]];
  return { text, blocks };
}

export interface TaskRow {
  readonly id: string;
  readonly status: Task["status"];
  readonly request: string;
  readonly progress: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly attempts: number;
  readonly worker: string | null;
  readonly result: string | null;
  readonly failure: string | null;
}

export const TASK_COLUMNS =
  "id, status, request, progress, created_at, started_at, finished_at, attempts, worker, result, failure";

export function toTask(row: TaskRow): Task {
  return {
    id: row.id,
    status: row.status,
    request: JSON.parse(row.request) as Task["request"],
    progress: JSON.parse(row.progress) as Task["progress"],
    createdAt: row.created_at,
    ...(row.started_at === null ? {} : { startedAt: row.started_at }),
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at }),
    attempts: row.attempts,
    ...(row.worker === null ? {} : { worker: row.worker }),
    ...(row.result === null ? {} : { result: JSON.parse(row.result) as Task["result"] & {} }),
    ...(row.failure === null ? {} : { failure: JSON.parse(row.failure) as Task["failure"] & {} }),
  };
}
