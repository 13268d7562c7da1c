// `completed` means findable: after each add, a chunk of the document is searched by its words and its vector.

import { KnowledgeError } from "../../domain/errors.ts";
import { toTaskFailure } from "../../domain/task.ts";
import type { DocumentStore, IndexedChunk, Store } from "../../store/store.ts";
import type { Indexer } from "./indexer.ts";

interface Confirmation {
  readonly taskId: string;
  readonly documentId: string;
  readonly chunks: readonly IndexedChunk[];
  readonly indexer: Indexer;
  readonly store: Store;
}

// About as many words as a person would type.
const WORDS = 20;

/** A document that is not found is indexed once more. If that fails, it is removed and its task fails. */
export async function confirmFindable(confirmation: Confirmation): Promise<void> {
  const { taskId, documentId, chunks, indexer, store } = confirmation;
  const chunk = pick(chunks);
  if (chunk === undefined || (await isFound(store.documents, documentId, chunk))) return;
  // The document may have been removed or replaced meanwhile; then there is nothing to find.
  const outcome = await store.documents.reindex(documentId, indexer.under, chunks);
  if (outcome === "not-found") return;
  if (await isFound(store.documents, documentId, chunk)) return;
  const error = new KnowledgeError(
    "NOT_FINDABLE",
    "The document was stored but a search did not find it. Try again; if it recurs, check knowledge-status.",
  );
  await store.documents.remove(documentId, "not-findable");
  await store.tasks.revoke(taskId, toTaskFailure(error));
  throw error;
}

async function isFound(
  documents: DocumentStore,
  documentId: string,
  { terms, vector }: IndexedChunk,
): Promise<boolean> {
  const within = { limit: 1, filter: { documentIds: [documentId] } };
  const words = [...new Set(terms)].slice(0, WORDS).map((term) => ({ term, weight: 1 }));
  const sides = await Promise.all([
    documents.lexical({ terms: words, ...within }).then(({ hits }) => hits),
    ...(vector === undefined ? [] : [documents.nearest({ vector, ...within })]),
  ]);
  return sides.every((hits) => hits.length > 0);
}

/** Picks from the middle, where prose is more likely than at the beginning or end. */
function pick(chunks: readonly IndexedChunk[]): IndexedChunk | undefined {
  const middle = Math.floor(chunks.length / 2);
  const order = [...chunks.slice(middle), ...chunks.slice(0, middle)];
  // Without terms (punctuation only) no search can find a chunk by its words.
  return (
    order.find(({ terms }) => terms.length >= 3) ?? order.find(({ terms }) => terms.length > 0)
  );
}
