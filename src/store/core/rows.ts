// Converts rows to domain objects, for both drivers: they differ in how they store JSON and times.
import type { Chunk, Metadata, StoredDocument } from "../../domain/document.ts";
import { fittingMetadata, UNREADABLE_METADATA } from "../../domain/metadata.ts";
import type { Task } from "../../domain/task.ts";
import type { ChunkSource, ChunksToRead, Hit, StoredChunk } from "../ports/documents.ts";
import { chunkId } from "./chunk-id.ts";
import { readOutcome, readProgress, readRequest, unreadableRequest } from "./read-task.ts";

export interface SourceRow<Json, Time> {
  readonly id: string;
  readonly filename: string;
  readonly format: StoredDocument["format"];
  readonly title: string | null;
  readonly date_added: Time;
  readonly metadata: Json;
}

export interface DocumentRow<Json, Time> extends SourceRow<Json, Time> {
  readonly doc: number;
  readonly source_path: string | null;
  readonly content_hash: string;
  readonly size_bytes: number;
  readonly chunk_count: number;
  readonly method: StoredDocument["method"];
  readonly pages: Json;
  readonly warnings: Json;
}

/** A chunk's fields besides its text and position; a driver stores them in one column. */
export type ChunkDetail = Pick<Chunk, "place" | "until" | "headings" | "tableHeader">;

export interface ChunkRow<Json> {
  readonly key: number;
  readonly doc: number;
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly detail: Json;
}

export interface TaskRow<Json, Time> {
  readonly id: string;
  readonly status: Task["status"];
  readonly content_hash: string;
  readonly attempts: number;
  readonly worker: string | null;
  readonly request: Json;
  readonly progress: Json;
  readonly result: Json | null;
  readonly failure: Json | null;
  readonly created_at: Time;
  readonly started_at: Time | null;
  readonly finished_at: Time | null;
}

interface Decoding<Json, Time> {
  /** Undefined if it cannot be parsed: one unreadable row must not keep the others from being listed. */
  readonly json: (stored: Json) => unknown;
  readonly time: (stored: Time) => string;
}

export function rowsStoredAs<Json, Time>(as: Decoding<Json, Time>) {
  return {
    readDetail: (stored: Json) => toDetail(as.json(stored)),
    toSource: (row: SourceRow<Json, Time>) => toSource(row, metadataOf(row, as), as),
    toDocument: (row: DocumentRow<Json, Time>) => toDocument(row, as),
    toChunk: (row: ChunkRow<Json>, document: ChunkSource) => toChunk(row, document, as),
    toTask: (row: TaskRow<Json, Time>) => toTask(row, as),
    isReadable: (row: TaskRow<Json, Time>) => readRequest(as.json(row.request)) !== undefined,
  };
}

function toSource<Json, Time>(
  row: SourceRow<Json, Time>,
  metadata: Metadata | undefined,
  { time }: Decoding<Json, Time>,
): ChunkSource {
  return {
    id: row.id,
    filename: row.filename,
    format: row.format,
    ...(row.title === null ? {} : { title: row.title }),
    dateAdded: time(row.date_added),
    metadata: metadata ?? {},
  };
}

/** Undefined if it cannot be read. */
function metadataOf<Json, Time>(row: SourceRow<Json, Time>, { json }: Decoding<Json, Time>) {
  return fittingMetadata(json(row.metadata));
}

function toDocument<Json, Time>(
  row: DocumentRow<Json, Time>,
  as: Decoding<Json, Time>,
): StoredDocument {
  const metadata = metadataOf(row, as);
  const warnings = list(as.json(row.warnings)) as readonly string[];
  return {
    ...toSource(row, metadata, as),
    ...(row.source_path === null ? {} : { sourcePath: row.source_path }),
    contentHash: row.content_hash,
    sizeBytes: row.size_bytes,
    chunkCount: row.chunk_count,
    method: row.method,
    pages: list(as.json(row.pages)) as StoredDocument["pages"],
    warnings: metadata === undefined ? [...warnings, UNREADABLE_METADATA] : warnings,
  };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toChunk<Json, Time>(
  { key, ordinal, start, end, text, detail }: ChunkRow<Json>,
  document: ChunkSource,
  as: Decoding<Json, Time>,
): StoredChunk {
  const id = chunkId(document.id, ordinal);
  return { key, id, document, ordinal, start, end, text, ...toDetail(as.json(detail)) };
}

/** From the parsed column, which is undefined if it could not be parsed. */
export function toDetail(stored: unknown): ChunkDetail {
  return { place: {}, headings: [], ...(stored as Partial<ChunkDetail> | undefined) };
}

function toTask<Json, Time>(row: TaskRow<Json, Time>, { json, time }: Decoding<Json, Time>): Task {
  const { status } = row;
  const result = row.result === null ? null : json(row.result);
  const failure = row.failure === null ? null : json(row.failure);
  return {
    id: row.id,
    status,
    request: readRequest(json(row.request)) ?? unreadableRequest(row.content_hash),
    progress: readProgress(json(row.progress)),
    createdAt: time(row.created_at),
    ...(row.started_at === null ? {} : { startedAt: time(row.started_at) }),
    ...(row.finished_at === null ? {} : { finishedAt: time(row.finished_at) }),
    attempts: row.attempts,
    ...(row.worker === null ? {} : { worker: row.worker }),
    ...readOutcome({ status, result, failure }),
  };
}

/** The keys of the chunks that a vector search returns together with its hits. */
export function keysToRead(
  hits: readonly Hit[],
  { best, except }: ChunksToRead,
): readonly number[] {
  const keys = hits.slice(0, best).map(({ key }) => key);
  return keys.filter((key) => !except.has(key));
}
