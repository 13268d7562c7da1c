// Documents with their chunks: every operation except the searches.
import type { SearchFilter } from "../../domain/passage.ts";
import type { PackedChunks } from "../core/packed-chunks.ts";
import type { TrashReason } from "../core/trash.ts";
import type { Adopted, DocumentPage, FinishedTask, NewDocument } from "../ports/documents.ts";
import { type Engine, sql } from "../sql.ts";
import {
  find,
  hasVectorsOf,
  knownKeys,
  listDocuments,
  listShownMost,
  listWithHidden,
  readChunks,
  readChunksOf,
  readExtracted,
  readStale,
  readTotals,
  readWhole,
  within,
} from "./read-documents.ts";
import { clearScopes, moveDocument } from "./scoped-documents.ts";
import { findUnreferenced } from "./unreferenced.ts";
import {
  adoptDocument,
  clearDocuments,
  countShown,
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
    findByHash: (hash: string, scope?: string) =>
      read((db) => find(db, sql`d.content_hash = ${hash} ${within(scope)}`)),
    findByPath: (path: string, scope?: string) =>
      read((db) => find(db, sql`${db.dialect.isAtPath(path)} ${within(scope)}`)),
    knownKeys: (keys: readonly string[]) => read((db) => knownKeys(db, keys)),
    list: (page: DocumentPage) => read((db) => listDocuments(db, page)),
    withHidden: (filter?: SearchFilter) => read((db) => listWithHidden(db, filter)),
    shownMost: (filter: SearchFilter, limit: number) =>
      read((db) => listShownMost(db, filter, limit)),
    countShown: (counts: ReadonlyMap<string, number>) => write((db) => countShown(db, counts)),
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
    clear: (scopes?: readonly string[]) =>
      write((db) => {
        const wanted = scopes ?? db.sight;
        return wanted ? clearScopes(db, parts, wanted) : clearDocuments(db, parts);
      }),
    move: (id: string, scope: string) => write((db) => moveDocument(db, id, scope)),
    reindex: (id: string, index: Pick<NewDocument, "fingerprint">, chunks: PackedChunks) =>
      write((db) => reindexDocument(db, parts, { id, index, chunks })),
  };
}
