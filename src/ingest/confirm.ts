// `completed` means findable: after each add a sentence of the document is searched for.
import { KnowledgeError } from "../domain/errors.ts";
import type { IndexedChunk, Store } from "../store/store.ts";
import type { Indexer } from "./indexer.ts";

/** True when a search for the text, within the document, finds it. */
export type FindInDocument = (text: string, documentId: string) => Promise<boolean>;

export interface Confirmation {
  readonly taskId: string;
  readonly documentId: string;
  readonly chunks: readonly IndexedChunk[];
  readonly indexer: Indexer;
  readonly store: Store;
  readonly find: FindInDocument;
}

// As much as a person would type.
const SENTENCE = 120;

/** A document that is not found is indexed once more, then given up: it is removed and its task has failed. */
export async function confirmFindable(confirmation: Confirmation): Promise<void> {
  const { taskId, documentId, chunks, indexer, store, find } = confirmation;
  const sentence = pickSentence(chunks);
  if (sentence === undefined || (await find(sentence, documentId))) return;
  // It may have been removed or replaced a moment ago; then there is nothing to find.
  if (!(await store.documents.reindex(documentId, indexer.fingerprint, chunks))) return;
  if (await find(sentence, documentId)) return;
  const error = new KnowledgeError(
    "NOT_FINDABLE",
    "The document was stored but a search did not find it. Try again; if it recurs, check knowledge-status.",
  );
  await store.documents.remove(documentId);
  await store.tasks.revoke(taskId, { error: error.code.toLowerCase(), message: error.message });
  throw error;
}

/** From the middle, where running text is likelier than covers and indexes. */
function pickSentence(chunks: readonly IndexedChunk[]): string | undefined {
  const middle = Math.floor(chunks.length / 2);
  const order = [...chunks.slice(middle), ...chunks.slice(0, middle)];
  // Without terms (punctuation only) no search can find a chunk by its words.
  const chosen =
    order.find(({ terms }) => terms.length >= 3) ?? order.find(({ terms }) => terms.length > 0);
  if (chosen === undefined) return undefined;
  const line = chosen.text.split("\n").reduce((a, b) => (b.length > a.length ? b : a), "");
  return line.slice(0, SENTENCE);
}
