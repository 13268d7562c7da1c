// Documents with their chunks: every operation except the searches.
import type { StoredDocument } from "../../domain/document.ts";
import type { PackedChunks } from "../core/packed-chunks.ts";
import type { FoundCells } from "../core/rows.ts";
import type { TrashReason } from "../core/trash.ts";
import type {
  Adopted,
  AdoptOutcome,
  DocumentStore,
  FinishedTask,
  NewDocument,
  PutOutcome,
  ReindexOutcome,
} from "../ports/documents.ts";
import { type Engine, sql } from "../sql.ts";
import {
  find,
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
  type Cleared,
  clearDocuments,
  type DocumentParts,
  putDocument,
  type Removal,
  reindexDocument,
  removeDocument,
  type WithOrphans,
} from "./write-documents.ts";

type Reads =
  | "get"
  | "findByHash"
  | "findByPath"
  | "knownKeys"
  | "list"
  | "extracted"
  | "whole"
  | "totals"
  | "stale";

/** As the port, but with what the port's side of an engine needs to know. */
export interface DocumentRepository extends Pick<DocumentStore, Reads> {
  chunks(keys: readonly number[]): Promise<readonly FoundCells[]>;
  chunksOf(id: string): Promise<readonly FoundCells[]>;
  put(
    document: NewDocument,
    chunks: PackedChunks,
    finishes?: FinishedTask,
  ): Promise<WithOrphans<PutOutcome>>;
  adopt(id: string, again: Adopted, finishes?: FinishedTask): Promise<WithOrphans<AdoptOutcome>>;
  remove(id: string, why?: TrashReason): Promise<Removal | undefined>;
  clear(): Promise<Cleared>;
  reindex(
    id: string,
    index: Pick<NewDocument, "fingerprint" | "encoders">,
    chunks: PackedChunks,
  ): Promise<ReindexOutcome>;
  /** Those of the hashes that no document or open task refers to. */
  unreferenced(hashes: readonly string[]): Promise<readonly string[]>;
}

export function openDocuments({ read, write }: Engine, parts: DocumentParts): DocumentRepository {
  const one = (id: string): Promise<StoredDocument | undefined> =>
    read((db) => find(db, sql`d.id = ${id}`));
  return {
    get: one,
    findByHash: (hash) => read((db) => find(db, sql`d.content_hash = ${hash}`)),
    findByPath: (path) => read((db) => find(db, db.dialect.isAtPath(path))),
    knownKeys: (keys) => read((db) => knownKeys(db, keys)),
    list: (page) => read((db) => listDocuments(db, page)),
    extracted: (id) => read((db) => readExtracted(db, id)),
    whole: (id) => read((db) => readWhole(db, parts.vectors, id)),
    totals: () => read(readTotals),
    chunks: (keys) => read((db) => readChunks(db, keys)),
    chunksOf: (id) => read((db) => readChunksOf(db, id)),
    stale: (fingerprint, limit) => read((db) => readStale(db, fingerprint, limit)),
    unreferenced: (hashes) => read((db) => findUnreferenced(db, hashes)),
    put: (document, chunks, finishes) =>
      write((db) => putDocument(db, parts, { document, chunks, finishes })),
    adopt: (id, again, finishes) =>
      write((db) => adoptDocument(db, parts, { id, again, finishes })),
    remove: (id, why) => write((db) => removeDocument(db, parts, { id, why })),
    clear: () => write((db) => clearDocuments(db, parts)),
    reindex: (id, index, chunks) =>
      write((db) => reindexDocument(db, parts, { id, index, chunks })),
  };
}
