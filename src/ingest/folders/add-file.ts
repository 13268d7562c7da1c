// Adds one file of a watched folder as a task and returns its ledger entry.
import { basename } from "node:path";
import {
  type AuditOutcome,
  backgroundEvent,
  type Perform,
  type Target,
} from "../../domain/call/audit-event.ts";
import type { Metadata } from "../../domain/document.ts";
import { isOutage, KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { isPlainPicture } from "../../domain/format-name.ts";
import type { Task, TaskFailure } from "../../domain/task.ts";
import type { Ingest } from "../ingest.ts";
import type { LedgerEntry } from "./ledger.ts";

export type Added =
  | { readonly kind: "gone" }
  /** The file cannot be read right now. Its entry is left unchanged, so the next pass tries again. */
  | { readonly kind: "later" }
  | { readonly kind: "done"; readonly hash?: string; readonly entry: Refusal };

type Refusal = Pick<LedgerEntry, "refused" | "isPlain">;

export interface AddFileParts {
  readonly root: string;
  readonly metadata?: Metadata | undefined;
  readonly ingest: Pick<Ingest, "enqueue" | "finish">;
  /** Authorises, audits and makes the change. */
  readonly perform: Perform;
  readonly signal: AbortSignal;
}

export async function addFile(
  path: string,
  { root, ingest, metadata = {}, signal, perform }: AddFileParts,
): Promise<Added> {
  const add = async () => {
    const source = { kind: "file", path, within: root } as const;
    const { task } = await ingest.enqueue(source, { metadata, forceOcr: false, signal });
    return ingest.finish(task.id, { signal });
  };
  const event = backgroundEvent("folder-add", { file: basename(path) });
  try {
    const task = await perform(event, add, endOf);
    if (isOutage(task.failure?.error.toUpperCase() ?? "")) {
      throw new KnowledgeError("STORE_UNAVAILABLE", task.failure?.message ?? "");
    }
    return { kind: "done", hash: task.request.contentHash, entry: refusal(path, task) };
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toKnowledgeError(thrown);
    if (error.code === "FILE_NOT_FOUND") return { kind: "gone" };
    if (error.code === "FILE_UNAVAILABLE") return { kind: "later" };
    // The next pass tries the file again.
    if (isOutage(error.code) || error.code === "INTERNAL") throw error;
    return { kind: "done", entry: refusedFor(path, { error: error.code, message: error.message }) };
  }
}

function endOf({ id, status, failure, result }: Task): AuditOutcome {
  const target: Target = {
    task_id: id,
    ...(result?.documentId ? { document_id: result.documentId } : {}),
  };
  return status === "completed" ? { target } : { target, error: failure?.error ?? status };
}

function refusal(path: string, task: Task): Refusal {
  if (task.status === "completed") return {};
  return refusedFor(path, task.failure ?? { error: "", message: task.status });
}

function refusedFor(path: string, { error, message }: TaskFailure): Refusal {
  return { refused: message, ...(isPlainPicture(path, error) ? { isPlain: true } : {}) };
}
