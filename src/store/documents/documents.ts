// Documents with their chunks: every operation except the searches.
import type { PackedChunks } from "../core/packed-chunks.ts";
import type { TrashReason } from "../core/trash.ts";
import type { Adopted, DocumentPage, FinishedTask, NewDocument } from "../ports/documents.ts";
import { type Engine, sql } from "../sql.ts";
import {
  find,
  hasVectorsOf,
  knownKeys,
  listDocuments,
  readChunks,
  readChunksOf,
  readExtracted,
  readStale,
  readTotals,
  readWhole,
} from "./read-documents.ts";
import { findUnreferenced } from "./unreferenced.ts";
import {
  adoptDocument,
  clearDocuments,
  type DocumentParts,
  putDocument,
  reindexDocument,
  removeDocument,
} from "./write-documents.ts";

/** As the port, but with what the port's side of an engine needs to know. */
export type DocumentRepository = ReturnType<typeof openDocuments>;

export function openDocuments({ read, write }: Engine, parts: DocumentParts) {
  return {
    get: (id: string) => read((db) => find(db, sql`d.id = ${id}`)),
    findByHash: (hash: string) => read((db) => find(db, sql`d.content_hash = ${hash}`)),
    findByPath: (path: string) => read((db) => find(db, db.dialect.isAtPath(path))),
    knownKeys: (keys: readonly string[]) => read((db) => knownKeys(db, keys)),
    list: (page: DocumentPage) => read((db) => listDocuments(db, page)),
    extracted: (id: string) => read((db) => readExtracted(db, id)),
    whole: (id: string) => read((db) => readWhole(db, parts.vectors, id)),
    totals: () => read(readTotals),
    chunks: (keys: readonly number[]) => read((db) => readChunks(db, keys)),
    chunksOf: (id: string) => read((db) => readChunksOf(db, id)),
    stale: (fingerprint: string, limit: number) => read((db) => readStale(db, fingerprint, limit)),
    hasVectorsOf: (model: string) => read((db) => hasVectorsOf(db, model)),
    /** Those of the hashes that no document or open task refers to. */
    unreferenced: (hashes: readonly string[]) => read((db) => findUnreferenced(db, hashes)),
    put: (document: NewDocument, chunks: PackedChunks, finishes?: FinishedTask) =>
      write((db) => putDocument(db, parts, { document, chunks, finishes })),
    adopt: (id: string, again: Adopted, finishes?: FinishedTask) =>
      write((db) => adoptDocument(db, parts, { id, again, finishes })),
    remove: (id: string, why?: TrashReason) =>
      write((db) => removeDocument(db, parts, { id, why })),
    clear: () => write((db) => clearDocuments(db, parts)),
    reindex: (
      id: string,
      index: Pick<NewDocument, "fingerprint" | "encoders">,
      chunks: PackedChunks,
    ) => write((db) => reindexDocument(db, parts, { id, index, chunks })),
  };
}
