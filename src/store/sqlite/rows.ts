// Converts database rows to domain objects.
import type { Block, ExtractedDocument, StoredDocument } from "../../domain/document.ts";
import type { Task } from "../../domain/task.ts";
import { chunkId } from "../core/chunk-id.ts";
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
import type { ChunkSource, StoredChunk } from "../store.ts";
import { compress, decompress } from "./older-node.ts";

export interface DocumentRow extends DocumentFields {
  readonly date_added: string;
  readonly pages: string;
  readonly warnings: string;
  readonly metadata: string;
  readonly first_key: number;
}

export const DOCUMENT_COLUMNS =
  "doc, id, filename, source_path, content_hash, format, size_bytes, title, date_added, method, pages, warnings, metadata, first_key, chunk_count";

export function toDocument(row: DocumentRow): StoredDocument {
  return toStoredDocument(row, {
    dateAdded: row.date_added,
    pages: listOf(row.pages) as StoredDocument["pages"],
    warnings: listOf(row.warnings) as readonly string[],
    metadata: parsed(row.metadata),
  });
}

/** One unreadable row must not keep the others from being listed. */
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

export interface ChunkRow extends ChunkFields {
  readonly detail: string;
}

export const CHUNK_COLUMNS = `key, doc, ordinal, start, "end", text, detail`;

export type SourceRow = Pick<
  DocumentRow,
  "id" | "filename" | "format" | "title" | "date_added" | "metadata"
>;

export const SOURCE_COLUMNS = "id, filename, format, title, date_added, metadata";

export function toSource(row: SourceRow): ChunkSource {
  return toChunkSource(row, { dateAdded: row.date_added, metadata: parsed(row.metadata) });
}

export function toChunk(row: ChunkRow, document: ChunkSource): StoredChunk {
  return toStoredChunk(row, document, readDetail(row.detail));
}

/** A chunk with its document, as sent by the reading thread: the columns of both, in order. */
export type FoundCells = readonly [
  key: number,
  doc: number,
  ordinal: number,
  start: number,
  end: number,
  text: string,
  detail: string,
  id: string,
  filename: string,
  format: DocumentRow["format"],
  title: string | null,
  date_added: string,
  metadata: string,
];

/** A search reads many chunks and shows few, so expensive fields are computed on demand. */
export function toFoundChunk(cells: FoundCells): StoredChunk {
  const [key, , ordinal, start, end, text, detail, ...source] = cells;
  const [id, filename, format, title, date_added, metadata] = source;
  const row: SourceRow = { id, filename, format, title, date_added, metadata };
  const document: ChunkSource = {
    id,
    filename,
    format,
    ...(title === null ? {} : { title }),
    dateAdded: date_added,
    get metadata() {
      return toSource(row).metadata;
    },
  };
  return {
    key,
    get id() {
      return chunkId(id, ordinal);
    },
    document,
    ordinal,
    start,
    end,
    text,
    ...readDetail(detail),
  };
}

export function readDetail(json: string): ChunkDetail {
  const detail = parsed(json) as Partial<ChunkDetail> | undefined;
  return { place: {}, headings: [], ...detail };
}

/** Compresses text and blocks to about a third; they are read only when a whole document is shown. */
export function packText(extracted: ExtractedDocument): Uint8Array {
  return compress(JSON.stringify([extracted.text, extracted.blocks]));
}

export function unpackText(body: Uint8Array): { text: string; blocks: readonly Block[] } {
  const json = decompress(body);
  const [text, blocks] = JSON.parse(json) as [string, Block[]];
  return { text, blocks };
}

export interface TaskRow extends TaskFields {
  readonly request: string;
  readonly progress: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly result: string | null;
  readonly failure: string | null;
}

export const TASK_COLUMNS =
  "id, status, content_hash, request, progress, created_at, started_at, finished_at, attempts, worker, result, failure";

export function toTask(row: TaskRow): Task {
  return toStoredTask(row, {
    request: parsed(row.request),
    progress: parsed(row.progress),
    result: row.result === null ? null : parsed(row.result),
    failure: row.failure === null ? null : parsed(row.failure),
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    finishedAt: row.finished_at ?? undefined,
  });
}

/** SQL condition for tasks that were set aside: failed without an end time, so they are never pruned. */
export const IS_SET_ASIDE = "(status = 'failed' AND finished_at IS NULL)";

/** Whether its request can be parsed. */
export function isReadable(row: TaskRow): boolean {
  return readRequest(parsed(row.request)) !== undefined;
}
