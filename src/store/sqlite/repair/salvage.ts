// What is still readable of the documents in a damaged database.
import type { DatabaseSync } from "node:sqlite";
import type { Block, ExtractedDocument, StoredDocument } from "../../../domain/document.ts";
import { unpackText } from "../../core/packed-text.ts";
import { type ChunkRow, type DocumentRow, toChunk, toDocument } from "../../core/rows.ts";
import { type DocumentRepository, openDocuments } from "../../documents/documents.ts";
import { fromJson } from "../../sql.ts";
import type { IndexedChunk, Loss } from "../../store.ts";
import { openReadingEngine } from "../engine.ts";
import { STORED_VECTORS } from "../vectors/stored-vectors.ts";
import { isOverwritten, readAll, readAsync, scanTable } from "./scan.ts";

export interface SalvagedDocument {
  readonly document: StoredDocument;
  readonly doc: number;
}

export const HASH = /^[0-9a-f]{64}$/;

export function salvageDocuments(database: DatabaseSync) {
  const { rows, isWhole } = scanTable<DocumentRow>(database, { table: "documents", key: "doc" });
  const readable = [...rows.values()].filter(isNamed);
  return {
    found: readable.map((row): SalvagedDocument => ({ document: toDocument(row), doc: row.doc })),
    losses: readable.flatMap(lossesOf),
    /** Rows that are known to exist but are unreadable. */
    unreadable: rows.size - readable.length,
    /** False if there may have been more. */
    isWhole: isWhole && readable.length === rows.size,
  };
}

export function nameOf({ filename, id }: Pick<StoredDocument, "filename" | "id">): string {
  return `${filename} (${id})`;
}

/** Listing a document tolerates fields that cannot be parsed; here its metadata is a loss, and the rest makes it unreadable. */
function isNamed(row: DocumentRow): boolean {
  const isText = [row.id, row.filename].every((each) => typeof each === "string");
  const isParsed = [row.pages, row.warnings].every((each) => fromJson(each) !== undefined);
  return isText && isParsed && HASH.test(row.content_hash);
}

function lossesOf(row: DocumentRow): readonly Loss[] {
  const loss = { kind: "metadata", name: nameOf(row) } as const;
  if (fromJson(row.metadata) === undefined) return [{ ...loss, what: "its metadata" }];
  if (![row.filename, row.title, row.metadata].some(isOverwritten)) return [];
  // Bytes that look overwritten may be real user data.
  return [{ ...loss, what: "part of its name, title or metadata", isUncertain: true }];
}

type Whole = NonNullable<Awaited<ReturnType<DocumentRepository["whole"]>>>;

interface SalvagedText extends Pick<ExtractedDocument, "text" | "blocks"> {
  /** Set if it was put together from its passages: what is missing. */
  readonly partial?: string;
}

export interface Contents {
  /** As it was stored; undefined if any part of it is unreadable or contradicts another. */
  whole(salvaged: SalvagedDocument): Promise<Whole | undefined>;
  /** The stored text, which has a checksum, or what is left of it in its passages. */
  text(salvaged: SalvagedDocument): SalvagedText | undefined;
}

export function openContents(database: DatabaseSync): Contents {
  const parts = { vectors: STORED_VECTORS, letGo: async () => {} };
  const documents = openDocuments(openReadingEngine(database), parts);
  const scan = { table: "chunks", key: "key", columns: "doc" };
  const { rows } = scanTable<{ readonly doc: number }>(database, scan);
  const keysOf = Map.groupBy(rows.keys(), (key) => rows.get(key)?.doc);
  return {
    async whole({ document }) {
      const found = await readAsync(() => documents.whole(document.id));
      return found && isSound(found, document) ? found : undefined;
    },
    text: ({ doc, document }) =>
      readText(database, doc) ?? joinChunks(database, keysOf.get(doc) ?? [], document),
  };
}

function readText(database: DatabaseSync, doc: number): SalvagedText | undefined {
  const sql = "SELECT body FROM texts WHERE doc = ?";
  const [row] = readAll<{ body: Uint8Array }>(database, sql, doc) ?? [];
  try {
    return row && unpackText(row.body);
  } catch {
    return undefined;
  }
}

/** Lost passages are replaced by blanks, so that the rest keeps its offsets. */
function joinChunks(
  database: DatabaseSync,
  keys: readonly number[],
  document: StoredDocument,
): SalvagedText | undefined {
  const sql = 'SELECT key, doc, ordinal, start, "end", text, detail FROM chunks WHERE key = ?';
  const chunks = keys
    .flatMap((key) => readAll<ChunkRow>(database, sql, key) ?? [])
    .filter((row) => fromJson(row.detail) !== undefined && row.end - row.start === row.text?.length)
    .toSorted((a, b) => a.start - b.start);
  if (chunks.length === 0) return undefined;
  const blocks: Block[] = [];
  let text = "";
  for (const row of chunks) {
    const start = Math.max(row.start, text.length);
    const { place } = toChunk(row, document);
    if (start < row.end) blocks.push({ kind: "paragraph", start, end: row.end, place });
    text = text.padEnd(row.start) + row.text.slice(start - row.start);
  }
  const { chunkCount } = document;
  // If there was only one passage, it is the whole text.
  if (chunkCount === 1 && chunks.length === 1) return { text, blocks };
  const lost = Math.max(0, chunkCount - chunks.length);
  return {
    text,
    blocks,
    partial: `${lost} of its ${chunkCount} passages, and its headings and tables`,
  };
}

function isSound({ document, chunks }: Whole, { id, contentHash, chunkCount }: StoredDocument) {
  const { text } = document.extracted;
  // An index may lead to another document's row.
  const isOwn = document.id === id && document.contentHash === contentHash;
  const isChunk = ({ start, end, text: part, vector }: IndexedChunk) =>
    part === text.slice(start, end).toWellFormed() && (!vector || isUnit(vector));
  return isOwn && chunks.length === chunkCount && chunks.every(isChunk);
}

/** A vector that was not overwritten has length 1. */
function isUnit(vector: Float32Array): boolean {
  return Math.abs(Math.hypot(...vector) - 1) < 0.01;
}
