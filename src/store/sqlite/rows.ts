// Rows as the database gives them, and what they are in the domain.

import type { Block, ExtractedDocument, StoredDocument } from "../../domain/document.ts";
import { fittingMetadata, UNREADABLE_METADATA } from "../../domain/metadata.ts";
import type { Task } from "../../domain/task.ts";
import { chunkId } from "../core/chunk-id.ts";
import { readOutcome, readProgress, readRequest, unreadableRequest } from "../core/read-task.ts";
import type { ChunkSource, StoredChunk } from "../store.ts";
import { compress, decompress } from "./older-node.ts";
import type { ChunkDetail } from "./thread/wire.ts";

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
    pages: listOf(row.pages) as StoredDocument["pages"],
    ...readMetadata(row.metadata, listOf(row.warnings) as readonly string[]),
  };
}

/** One row that cannot be read must not keep the others from being listed. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function listOf(json: string): readonly unknown[] {
  const list = parsed(json);
  return Array.isArray(list) ? list : [];
}

function readMetadata(json: string, warnings: readonly string[]) {
  const metadata = fittingMetadata(parsed(json));
  if (metadata !== undefined) return { metadata, warnings };
  return { metadata: {}, warnings: [...warnings, UNREADABLE_METADATA] };
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
    metadata: fittingMetadata(parsed(row.metadata)) ?? {},
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
    ...readDetail(row.detail),
  };
}

export function readDetail(json: string): ChunkDetail {
  const detail = parsed(json) as Partial<ChunkDetail> | undefined;
  return { place: {}, headings: [], ...detail };
}

/** The text and its blocks squeeze to about a third; they are read only when a whole document is shown. */
export function packText(extracted: ExtractedDocument): Uint8Array {
  return compress(JSON.stringify([extracted.text, extracted.blocks]));
}

export function unpackText(body: Uint8Array): { text: string; blocks: readonly Block[] } {
  const json = decompress(body);
  const [text, blocks] = JSON.parse(json) as [string, Block[]];
  return { text, blocks };
}

export interface TaskRow {
  readonly id: string;
  readonly status: Task["status"];
  readonly content_hash: string;
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
  "id, status, content_hash, request, progress, created_at, started_at, finished_at, attempts, worker, result, failure";

export function toTask(row: TaskRow): Task {
  const request = readRequest(parsed(row.request));
  return {
    id: row.id,
    status: row.status,
    request: request ?? unreadableRequest(row.content_hash),
    progress: readProgress(parsed(row.progress)),
    createdAt: row.created_at,
    ...(row.started_at === null ? {} : { startedAt: row.started_at }),
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at }),
    attempts: row.attempts,
    ...(row.worker === null ? {} : { worker: row.worker }),
    ...readOutcome({
      status: row.status,
      result: row.result === null ? null : parsed(row.result),
      failure: row.failure === null ? null : parsed(row.failure),
    }),
  };
}

/** SQL that is true of tasks that were set aside: failed without an end, so that nothing prunes them. */
export const IS_SET_ASIDE = "(status = 'failed' AND finished_at IS NULL)";

/** Whether the work that it asks for can be read from it. */
export function isReadable(row: TaskRow): boolean {
  return readRequest(parsed(row.request)) !== undefined;
}
