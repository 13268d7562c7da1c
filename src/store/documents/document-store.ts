// The port over the operations of an engine: what callers pass and get, and what follows a change.
import type { StoredDocument } from "../../domain/document.ts";
import type { PackedChunks } from "../core/packed-chunks.ts";
import { toFoundChunk } from "../core/rows.ts";
import type { TrashNote, TrashReason } from "../core/trash.ts";
import type { DocumentStore, IndexedChunk } from "../store.ts";
import type { DocumentRepository } from "./documents.ts";

type Searches =
  | "lexical"
  | "nearest"
  | "nearestWithChunks"
  | "termStatistics"
  | "phrasesIn"
  | "similarTerms"
  | "termsStartingWith";

export type DocumentSearches = Pick<DocumentStore, Searches>;

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
}

export function openDocumentStore(
  documents: DocumentRepository,
  searches: DocumentSearches,
  { pack, follow }: StoreSide,
): Omit<DocumentStore, "seenBy"> {
  return {
    ...documents,
    ...searches,
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

function toNote({ filename, sourcePath }: StoredDocument, why: TrashReason): TrashNote {
  return { why, filename, ...(sourcePath === undefined ? {} : { sourcePath }) };
}
