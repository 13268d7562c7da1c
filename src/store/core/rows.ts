// Converts rows that both drivers share to domain objects. A driver decodes what it stores in its own way (JSON,
// times) and passes it with the row.
import type { Chunk, StoredDocument } from "../../domain/document.ts";
import { fittingMetadata, UNREADABLE_METADATA } from "../../domain/metadata.ts";
import type { Task } from "../../domain/task.ts";
import type { ChunkSource, Hit, ReadAlong, StoredChunk } from "../ports/documents.ts";
import { chunkId } from "./chunk-id.ts";
import { readOutcome, readProgress, readRequest, unreadableRequest } from "./read-task.ts";

export interface SourceFields {
  readonly id: string;
  readonly filename: string;
  readonly format: StoredDocument["format"];
  readonly title: string | null;
}

export interface DocumentFields extends SourceFields {
  readonly doc: number;
  readonly source_path: string | null;
  readonly content_hash: string;
  readonly size_bytes: number;
  readonly chunk_count: number;
  readonly method: StoredDocument["method"];
}

interface ReadSource {
  readonly dateAdded: string;
  readonly metadata: unknown;
}

interface ReadDocument extends ReadSource {
  readonly pages: StoredDocument["pages"];
  readonly warnings: readonly string[];
}

export function toStoredDocument(row: DocumentFields, read: ReadDocument): StoredDocument {
  const isReadable = fittingMetadata(read.metadata) !== undefined;
  return {
    ...toChunkSource(row, read),
    ...(row.source_path === null ? {} : { sourcePath: row.source_path }),
    contentHash: row.content_hash,
    sizeBytes: row.size_bytes,
    chunkCount: row.chunk_count,
    method: row.method,
    pages: read.pages,
    warnings: isReadable ? read.warnings : [...read.warnings, UNREADABLE_METADATA],
  };
}

export function toChunkSource(row: SourceFields, { dateAdded, metadata }: ReadSource): ChunkSource {
  return {
    id: row.id,
    filename: row.filename,
    format: row.format,
    ...(row.title === null ? {} : { title: row.title }),
    dateAdded,
    metadata: fittingMetadata(metadata) ?? {},
  };
}

/** A chunk's fields besides its text and position; a driver stores them in one column. */
export type ChunkDetail = Pick<Chunk, "place" | "until" | "headings" | "tableHeader">;

export interface ChunkFields {
  readonly key: number;
  readonly doc: number;
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function toStoredChunk(
  { key, ordinal, start, end, text }: ChunkFields,
  document: ChunkSource,
  detail: ChunkDetail,
): StoredChunk {
  return { key, id: chunkId(document.id, ordinal), document, ordinal, start, end, text, ...detail };
}

/** The document fields that a vector search returns with each chunk. */
export function keysAlong(hits: readonly Hit[], { best, except }: ReadAlong): readonly number[] {
  const keys = hits.slice(0, best).map(({ key }) => key);
  return keys.filter((key) => !except.has(key));
}

export interface TaskFields {
  readonly id: string;
  readonly status: Task["status"];
  readonly content_hash: string;
  readonly attempts: number;
  readonly worker: string | null;
}

interface ReadTask {
  readonly request: unknown;
  readonly progress: unknown;
  readonly result: unknown;
  readonly failure: unknown;
  readonly createdAt: string;
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
}

export function toStoredTask(row: TaskFields, read: ReadTask): Task {
  const { startedAt, finishedAt, result, failure } = read;
  return {
    id: row.id,
    status: row.status,
    request: readRequest(read.request) ?? unreadableRequest(row.content_hash),
    progress: readProgress(read.progress),
    createdAt: read.createdAt,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
    attempts: row.attempts,
    ...(row.worker === null ? {} : { worker: row.worker }),
    ...readOutcome({ status: row.status, result, failure }),
  };
}
