// Converts rows to domain objects.

import { hash } from "node:crypto";
import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import type { Chunk, StoredDocument } from "../../domain/document.ts";
import { fittingMetadata, UNREADABLE_METADATA } from "../../domain/metadata.ts";
import { isMessage } from "../../domain/phrases/messages.ts";
import type { Task } from "../../domain/task.ts";
import type { ChunkSource, ChunksToRead, Hit, StoredChunk } from "../ports/documents.ts";
import { fromJson } from "../sql.ts";
import { readOutcome, readProgress, readRequest, unreadableRequest } from "./read-task.ts";

export interface DocumentRow {
  readonly id: string;
  readonly scope: string;
  readonly filename: string;
  readonly format: StoredDocument["format"];
  readonly title: string | null;
  readonly date_added: string;
  readonly metadata: string;
  readonly doc: number;
  readonly source_path: string | null;
  readonly content_hash: string;
  readonly size_bytes: number;
  readonly chunk_count: number;
  readonly method: StoredDocument["method"];
  readonly pages: string;
  readonly warnings: string;
}

/** A chunk's fields besides its text and position, stored in one column. */
export type ChunkDetail = Pick<Chunk, "place" | "until" | "headings" | "tableHeader">;

export interface ChunkRow {
  readonly key: number;
  readonly doc: number;
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly detail: string;
}

export interface TaskRow {
  readonly id: string;
  readonly status: Task["status"];
  /** For copies of whole rows. */
  readonly scope?: string;
  readonly content_hash: string;
  readonly attempts: number;
  readonly worker: string | null;
  readonly request: string;
  readonly progress: string;
  readonly result: string | null;
  readonly failure: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export function toDocument(row: DocumentRow): StoredDocument {
  const metadata = fittingMetadata(fromJson(row.metadata));
  const warnings = list(fromJson(row.warnings)).filter(isMessage);
  return {
    id: row.id,
    ...scopeOf(row.scope),
    filename: row.filename,
    format: row.format,
    ...defined({ title: row.title ?? undefined, sourcePath: row.source_path ?? undefined }),
    dateAdded: row.date_added,
    metadata: metadata ?? {},
    contentHash: row.content_hash,
    sizeBytes: row.size_bytes,
    chunkCount: row.chunk_count,
    method: row.method,
    pages: list(fromJson(row.pages)) as StoredDocument["pages"],
    warnings: metadata === undefined ? [...warnings, UNREADABLE_METADATA] : warnings,
  };
}

function scopeOf(scope: string): Pick<StoredDocument, "scope"> {
  return scope === GENERAL_SCOPE ? {} : { scope };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Few of the chunks that a search reads are shown, so their ids are computed on demand. */
export function toChunk(row: Omit<ChunkRow, "doc">, document: ChunkSource): StoredChunk {
  const { key, ordinal, start, end, text, detail } = row;
  return {
    key,
    get id() {
      return chunkId(document.id, ordinal);
    },
    document,
    ordinal,
    start,
    end,
    text,
    ...toDetail(fromJson(detail)),
  };
}

/** A UUID derived from the document, so that both stores return the same one without storing it. */
function chunkId(documentId: string, ordinal: number): string {
  const hex = hash("sha256", `${documentId}/${ordinal}`);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
  return [...parts, variant + hex.slice(17, 20), hex.slice(20, 32)].join("-");
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
  scope: string,
  path: string | null,
];

export function toFoundChunk(cells: FoundCells): StoredChunk {
  const [key, , ordinal, start, end, text, detail, ...source] = cells;
  const [id, filename, format, title, dateAdded, metadata, scope, path] = source;
  const document: ChunkSource = {
    id,
    ...scopeOf(scope),
    filename,
    format,
    ...(path !== null && { sourcePath: path }),
    ...(title !== null && { title }),
    dateAdded,
    // Parsed for what is shown.
    get metadata() {
      return fittingMetadata(fromJson(metadata)) ?? {};
    },
  };
  return toChunk({ key, ordinal, start, end, text, detail }, document);
}

/** From the parsed column, which is undefined if it could not be parsed. */
export function toDetail(stored: unknown): ChunkDetail {
  return { place: {}, headings: [], ...(stored as Partial<ChunkDetail> | undefined) };
}

/** False if the request cannot be parsed. */
export function isReadable(row: Pick<TaskRow, "request">): boolean {
  return readRequest(fromJson(row.request)) !== undefined;
}

export function toTask(row: TaskRow): Task {
  const { status } = row;
  const progress = readProgress(fromJson(row.progress));
  // Of a finished task all steps are done.
  const ended = { completedSteps: progress.totalSteps, fraction: 1 };
  return {
    id: row.id,
    status,
    request: readRequest(fromJson(row.request)) ?? unreadableRequest(row.content_hash),
    progress: status === "completed" ? { ...progress, ...ended } : progress,
    createdAt: row.created_at,
    attempts: row.attempts,
    ...defined({
      startedAt: row.started_at ?? undefined,
      finishedAt: row.finished_at ?? undefined,
      worker: row.worker ?? undefined,
    }),
    ...readOutcome({
      status,
      result: fromJson(row.result ?? ""),
      failure: fromJson(row.failure ?? ""),
    }),
  };
}

/** The keys of the chunks that a vector search returns together with its hits. */
export function keysToRead(hits: readonly Hit[], { best, except }: ChunksToRead) {
  const keys = hits.slice(0, best).map(({ key }) => key);
  return keys.filter((key) => !except.has(key));
}
