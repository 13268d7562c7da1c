// The columns of SQLite's tables: JSON and times are text.
import type { Block, ExtractedDocument } from "../../domain/document.ts";
import { fittingMetadata } from "../../domain/metadata.ts";
import { chunkId } from "../core/chunk-id.ts";
import {
  type ChunkRow as ChunkFields,
  type DocumentRow as DocumentFields,
  rowsStoredAs,
  type TaskRow as TaskFields,
  toDetail,
} from "../core/rows.ts";
import type { ChunkSource, StoredChunk } from "../store.ts";
import { compress, decompress } from "./older-node.ts";

export interface DocumentRow extends DocumentFields<string, string> {
  readonly first_key: number;
}
export type ChunkRow = ChunkFields<string>;
export type TaskRow = TaskFields<string, string>;

export const { readDetail, toSource, toDocument, toChunk, toTask, isReadable } = rowsStoredAs<
  string,
  string
>({ json: parsed, time: (text) => text });

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export const DOCUMENT_COLUMNS =
  "doc, id, filename, source_path, content_hash, format, size_bytes, title, date_added, method, pages, warnings, metadata, first_key, chunk_count";

export const CHUNK_COLUMNS = `key, doc, ordinal, start, "end", text, detail`;

export const SOURCE_COLUMNS = "id, filename, format, title, date_added, metadata";

export const TASK_COLUMNS =
  "id, status, content_hash, request, progress, created_at, started_at, finished_at, attempts, worker, result, failure";

/** SQL condition for tasks that were set aside: failed without an end time, so they are never pruned. */
export const IS_SET_ASIDE = "(status = 'failed' AND finished_at IS NULL)";

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
  const document: ChunkSource = {
    id,
    filename,
    format,
    ...(title === null ? {} : { title }),
    dateAdded: date_added,
    get metadata() {
      return fittingMetadata(parsed(metadata)) ?? {};
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
    ...toDetail(parsed(detail)),
  };
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
