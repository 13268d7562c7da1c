// The port over the operations of an engine: what callers pass and get, and what follows a change.
import type { StoredDocument } from "../../domain/document.ts";
import type { PackedChunks } from "../core/packed-chunks.ts";
import { toFoundChunk } from "../core/rows.ts";
import type { TrashNote, TrashReason } from "../core/trash.ts";
import type { DocumentStore, IndexedChunk, VectorQuery } from "../store.ts";
import type { DocumentRepository } from "./documents.ts";
import { type Searches, unpackHits } from "./searches.ts";

interface Change {
  /** The originals that nothing refers to any more. */
  readonly orphans: readonly string[];
  /** Set if no user asked for it, so they go to the trash. */
  readonly note?: TrashNote | undefined;
}

export interface StoreSide {
  pack(chunks: readonly IndexedChunk[]): Promise<PackedChunks>;
  /** Runs a change, and what follows it. */
  follow<Result extends Change | undefined>(change: () => Promise<Result>): Promise<Result>;
  search<Name extends keyof Searches>(
    name: Name,
    args: Parameters<Searches[Name]>,
    signal?: AbortSignal,
  ): ReturnType<Searches[Name]>;
}

export function openDocumentStore(
  documents: DocumentRepository,
  { pack, follow, search }: StoreSide,
): Omit<DocumentStore, "seenBy"> {
  return {
    ...documents,
    ...searchesOf(search),
    chunks: async (keys) => (await documents.chunks(keys)).map(toFoundChunk),
    chunksOf: async (id) => (await documents.chunksOf(id)).map(toFoundChunk),
    async put(document, chunks, finishes) {
      const packed = await pack(chunks);
      return (await follow(() => documents.put(document, packed, finishes))).outcome;
    },
    adopt: async (id, again, finishes) =>
      (await follow(() => documents.adopt(id, again, finishes))).outcome,
    async remove(id, why) {
      const removed = await follow(async () => {
        const gone = await documents.remove(id, why);
        return gone && { ...gone, note: why && toNote(gone.document, why) };
      });
      return removed?.document;
    },
    clear: async (scopes) => (await follow(() => documents.clear(scopes))).totals,
    async reindex(id, index, chunks) {
      const packed = await pack(chunks);
      const change = async () => ({
        outcome: await documents.reindex(id, index, packed),
        orphans: [],
      });
      return (await follow(change)).outcome;
    },
  };
}

function searchesOf(search: StoreSide["search"]) {
  return {
    async lexical(query, signal) {
      const { hits, statistics } = await search("lexical", [query], signal);
      return { hits: unpackHits(hits), statistics };
    },
    nearest: async (query, signal) =>
      unpackHits(await search("nearest", [toSendable(query)], signal)),
    async nearestWithChunks(query, read, signal) {
      const found = await search("nearestWithChunks", [toSendable(query), read], signal);
      return { hits: unpackHits(found.hits), chunks: found.chunks.map(toFoundChunk) };
    },
    termStatistics: (terms) => search("termStatistics", [terms]),
    phrasesIn: (keys, phrases) => search("phrasesIn", [keys, phrases]),
    similarTerms: (terms, limit) => search("similarTerms", [terms, limit]),
    termsStartingWith: (prefix, limit) => search("termsStartingWith", [prefix, limit]),
  } satisfies Partial<DocumentStore>;
}

/** Posting a view to a thread would copy its whole buffer, which may be a batch of embeddings. */
function toSendable(query: VectorQuery): VectorQuery {
  return { ...query, vector: query.vector.slice() };
}

function toNote({ filename, sourcePath }: StoredDocument, why: TrashReason): TrashNote {
  return { why, filename, ...(sourcePath === undefined ? {} : { sourcePath }) };
}
