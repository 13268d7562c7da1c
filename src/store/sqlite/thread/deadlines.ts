// How long each call to the store's threads may go without a heartbeat, and the error when it does.
import { KnowledgeError } from "../../../domain/errors.ts";

/** More than the two minutes for which a statement waits for another process, so that the statement's own error is the one reported. */
const SMALL_MS = 150_000;
/**
 * Heartbeats come between statements. The longest statement commits or frees a gigabyte, which a disk that writes
 * 5 MB per second does in less than four minutes; an overloaded machine may take twice that.
 */
const LARGE_MS = 600_000;

/** Their statements grow with a document or with the whole knowledge base. "open" also migrates. */
const LARGE: ReadonlySet<string> = new Set([
  "open",
  "putStaged",
  "reindexStaged",
  "documents.remove",
  "documents.adopt",
  "documents.clear",
  "documents.unreferenced",
  "documents.extracted",
  "documents.whole",
  "documents.chunksOf",
  "documents.stale",
  "scopes.apply",
  "scopes.all",
  "tasks.prune",
  "contentHashes",
  "dropped",
  "forgetDropped",
  "lexical",
  "nearest",
  "nearestWithChunks",
  "phrasesIn",
  "similarTerms",
  "termsStartingWith",
]);

export function silentMs(method: string): number {
  return LARGE.has(method) ? LARGE_MS : SMALL_MS;
}

export function lostRead(cause: unknown): KnowledgeError {
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    "The database did not respond. Try again; if it recurs, run `knowledge-server doctor`.",
    { cause },
  );
}

/** The write may have been committed before its thread was lost, so it must not be reported as failed. */
export function lostWrite(cause: unknown): KnowledgeError {
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    "The database did not respond, so it is unknown whether the change was stored. Check with knowledge-show or knowledge-task-status before you try again.",
    { cause, details: { outcome: "unknown" } },
  );
}
