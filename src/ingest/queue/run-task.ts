// Runs one claimed task to its end; the drawing in `queue.ts` shows the possible ends.
import { defined } from "../../domain/defined.ts";
import {
  type ErrorCode,
  isOutage,
  KnowledgeError,
  messageOf,
  toKnowledgeError,
} from "../../domain/errors.ts";
import { type Task, type TaskProgress, toTaskFailure } from "../../domain/task.ts";
import { type GiveBack, notify, type QueueCore, type RunFor } from "./queue-state.ts";

// A file that crashes the process every time must not be retried forever. There is more than one attempt because
// another task may have caused the crash.
const MAX_ATTEMPTS = 5;
const NEVER_BY_DOCUMENT: ReadonlySet<ErrorCode> = new Set([
  "STORE_FULL",
  "AUDIT_UNAVAILABLE",
  "OVERLOADED",
]);

export function runTask(queue: QueueCore, task: Task, runFor: RunFor): Promise<void> {
  const { state } = queue;
  const lease = holdLease(task, queue);
  const done = workToEnd(queue, lease, runFor).finally(() => {
    lease.end();
    state.held.delete(task.id);
    notify(state, task.id);
  });
  state.held.set(task.id, { lease, done });
  return done;
}

async function workToEnd(queue: QueueCore, lease: Lease, runFor: RunFor): Promise<void> {
  try {
    if (lease.task.attempts > MAX_ATTEMPTS) throw interrupted(lease.task);
    await queue.work(lease);
    queue.state.backOff.end();
  } catch (thrown) {
    await endUnfinished(queue, lease, { error: toKnowledgeError(thrown), runFor });
  }
}

async function endUnfinished(
  queue: QueueCore,
  { task, signal }: Lease,
  { error, runFor }: { readonly error: KnowledgeError; readonly runFor: RunFor },
) {
  if (signal.reason === "closing") return giveBack(queue, task.id, "release");
  if (!signal.aborted && runFor === "queue" && isOutage(error.code)) {
    // A full disk or an unreachable bucket does not count as an attempt. What the document itself may have caused does, such as a lost thread.
    queue.log.warn("ingest.returned-to-queue", { task: task.id, code: error.code, error });
    queue.state.backOff.start();
    return giveBack(queue, task.id, isNeverByDocument(error) ? "release" : "expire");
  }
  if (!signal.aborted) await fail(queue, task.id, withOutcome(error));
  await discardOriginal(queue, task);
}

function isNeverByDocument(error: KnowledgeError): boolean {
  return NEVER_BY_DOCUMENT.has(error.code) || messageOf(error).code === "bucketAway";
}

export async function giveBack(queue: QueueCore, taskId: string, how: GiveBack): Promise<void> {
  const { state, store, log } = queue;
  state.failedGiveBacks.delete(taskId);
  await store.tasks[how](taskId, state.worker).catch((error: unknown) => {
    log.warn("ingest.release-failed", { task: taskId, error });
    state.failedGiveBacks.set(taskId, how);
  });
}

async function fail(queue: QueueCore, taskId: string, error: KnowledgeError): Promise<void> {
  const { state, store, log } = queue;
  const level = error.code === "INTERNAL" ? "error" : "info";
  log[level]("ingest.failed", { task: taskId, code: error.code, error });
  await store.tasks.fail(taskId, state.worker, toTaskFailure(error)).catch((cause: unknown) => {
    log.error("ingest.fail-failed", { task: taskId, error: cause });
    state.failedGiveBacks.set(taskId, "release");
    throw unrecorded(error);
  });
}

/** The task ended without a document. Removes its original unless another document uses it. */
export async function discardOriginal({ store, log }: QueueCore, task: Task): Promise<void> {
  try {
    const { contentHash, filename, sourcePath, many } = task.request;
    // Deleted if the add was cancelled, or if it is only the note of a folder, page or source. After a failure it goes to
    // the trash: it may be the owner's only copy.
    const isNote = many !== undefined && many !== "archive";
    const isDeleted = isNote || (await store.tasks.get(task.id))?.status === "cancelled";
    const note = { why: "failed", filename, ...defined({ sourcePath }) } as const;
    await store.originals.discard(contentHash, task.createdAt, isDeleted ? undefined : note);
  } catch (error) {
    log.warn("ingest.discard-failed", { error });
  }
}

/** Only a held task can fail, and storing its document would have ended the hold, so nothing of it was stored. */
function withOutcome(error: KnowledgeError): KnowledgeError {
  if (error.details["outcome"] !== "unknown") return error;
  const message =
    "The database did not respond, and nothing of the document was stored. Add the file again; if it recurs, run `knowledge-server doctor`.";
  return new KnowledgeError(error.code, message, { cause: error });
}

/** The store cannot record how the task ended, so the caller gets the error right away. */
export function unrecorded({ code, message, details }: KnowledgeError): KnowledgeError {
  return new KnowledgeError(code, `${message} The add stays queued and is retried automatically.`, {
    details,
  });
}

function interrupted({ attempts }: Task): KnowledgeError {
  return new KnowledgeError(
    "INTERRUPTED",
    `Processing was interrupted ${attempts - 1} times and will not be retried. Add the file again, or a smaller part of it.`,
  );
}

// The lease of a claimed task: renews it, and stops the work when it is lost.
//
//   held ──renewed──▶ held
//    ├─ cancelled by a user here ─────────────────────────────────▶ stopped: cancelled
//    ├─ this process ends and gives the task back ────────────────▶ stopped: closing
//    └─ cancelled elsewhere, taken over, or not renewed in time ──▶ stopped: lost

export interface Lease {
  readonly task: Task;
  /** The holder's name, which the store checks. */
  readonly worker: string;
  readonly signal: AbortSignal;
  readonly progress: TaskProgress;
  report(progress: TaskProgress): void;
  stop(why: StopReason): void;
  end(): void;
}

type StopReason = "cancelled" | "closing" | "lost";

// A cancel from another process is noticed at a renewal, so the work continues for up to this long.
const RENEW_EVERY_MS = 1_000;

function holdLease(task: Task, queue: QueueCore): Lease {
  const { leaseMs, log } = queue;
  const { tasks } = queue.store;
  const { worker } = queue.state;
  const abort = new AbortController();
  const state = { progress: task.progress, isRenewing: false, renewedAt: performance.now() };

  const stop = (why: StopReason) => abort.abort(why);
  const renew = async () => {
    if (state.isRenewing) return;
    state.isRenewing = true;
    try {
      const outcome = await tasks.renew(task.id, worker, leaseMs, state.progress);
      if (outcome === "renewed") state.renewedAt = performance.now();
      else stop("lost");
    } catch (error) {
      log.warn("ingest.renew-failed", { task: task.id, error });
      if (performance.now() - state.renewedAt > leaseMs) stop("lost");
    } finally {
      state.isRenewing = false;
    }
  };
  const timer = setInterval(() => void renew(), Math.min(RENEW_EVERY_MS, leaseMs / 3));

  return {
    task,
    worker,
    signal: abort.signal,
    get progress() {
      return state.progress;
    },
    report(next) {
      state.progress = next;
      notify(queue.state, task.id);
    },
    stop,
    end: () => clearInterval(timer),
  };
}
