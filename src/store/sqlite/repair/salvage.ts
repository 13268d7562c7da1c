// What is still readable of the documents in a damaged database.
import type { DatabaseSync } from "node:sqlite";
import type { ExtractedDocument, StoredDocument } from "../../../domain/document.ts";
import { unpackText } from "../../core/packed-text.ts";
import { type DocumentRow, toDocument } from "../../core/rows.ts";
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

type SalvagedText = Pick<ExtractedDocument, "text" | "blocks">;

export interface Contents {
  /** As it was stored; undefined if any part of it is unreadable or contradicts another. */
  whole(salvaged: SalvagedDocument): Promise<Whole | undefined>;
  /** The stored text, which has a checksum. */
  text(salvaged: SalvagedDocument): SalvagedText | undefined;
}

export function openContents(database: DatabaseSync): Contents {
  const parts = { vectors: STORED_VECTORS, removeOriginals: async () => {} };
  const documents = openDocuments(openReadingEngine(database), parts);
  return {
    async whole({ document }) {
      const found = await readAsync(() => documents.whole(document.id));
      return found && isSound(found, document) ? found : undefined;
    },
    text: ({ doc }) => readText(database, doc),
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
