// The tasks that this process works on, and how each ends.
//
//   claimed ──work──▶ stored (completed with it)
//      │ ├─ the file's fault ──────────▶ failed
//      │ ├─ the store's fault ─────────▶ given back, and nothing is claimed for a while; a waiting caller is notified
//      │ ├─ this process closes ───────▶ given back
//      │ └─ cancelled or lease lost ───▶ left as it is
//      └─ broken off too often ────────▶ failed (interrupted)
import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import type { Task } from "../../domain/task.ts";
import type { Log } from "../../observe/log.ts";
import type { TaskStore } from "../../store/store.ts";
import { holdLease, type Lease } from "./lease.ts";
import { openPause } from "./pause.ts";

export interface RunOptions {
  readonly tasks: TaskStore;
  readonly leaseMs: number;
  readonly log: Log;
  /** Does the task, storing its result under the lease. */
  readonly work: (lease: Lease, worker: string) => Promise<void>;
  /** A task's progress or end is new. */
  readonly onNews: (taskId: string) => void;
  /** A task ended here without a document. */
  readonly onUnfinished: (task: Task) => Promise<void>;
}

// A file that kills its process each time must not be tried for ever; an unlucky neighbour deserves some tries.
const MAX_ATTEMPTS = 5;

export function openRuns(options: RunOptions, worker: string) {
  const { tasks, leaseMs, log, onNews } = options;
  const running = new Map<string, { lease: Lease; done: Promise<void> }>();
  const pause = openPause();
  /** Tasks that the store could not take back. */
  const owed = new Map<string, "release" | "expire">();

  const giveBack = async (taskId: string, how: "release" | "expire" = "release") => {
    owed.delete(taskId);
    await tasks[how](taskId, worker).catch((error: unknown) => {
      log.warn("ingest.release-failed", { task: taskId, error });
      owed.set(taskId, how);
    });
  };
  const fail = async (taskId: string, error: KnowledgeError) => {
    const level = error.code === "INTERNAL" ? "error" : "info";
    log[level]("ingest.failed", { task: taskId, code: error.code, error });
    const failure = { error: error.code.toLowerCase(), message: error.message };
    await tasks.fail(taskId, worker, failure).catch((cause: unknown) => {
      log.error("ingest.fail-failed", { task: taskId, error: cause });
      owed.set(taskId, "release");
      throw unrecorded(error);
    });
  };
  const see = async (lease: Lease, whose: "queue" | "caller") => {
    const { task, signal } = lease;
    try {
      if (task.attempts > MAX_ATTEMPTS) throw interrupted(task);
      await options.work(lease, worker);
      pause.end();
    } catch (thrown) {
      if (signal.reason === "closing") return giveBack(task.id);
      const error = toKnowledgeError(thrown);
      if (!signal.aborted && whose === "queue" && isStoreTrouble(error)) {
        // A full disk is nobody's attempt; a thread that was lost may be the document's doing.
        log.warn("ingest.given-back", { task: task.id, code: error.code, error });
        pause.start();
        return giveBack(task.id, error.code === "STORE_UNAVAILABLE" ? "expire" : "release");
      }
      if (!signal.aborted) await fail(task.id, withOutcome(error));
      await options.onUnfinished(task);
    }
  };
  return {
    pause,
    giveBack,
    count: () => running.size,
    /** Whoever dies before this leaves a lease that runs out by itself. */
    async settleOwed() {
      for (const [taskId, how] of [...owed]) {
        if (running.has(taskId)) owed.delete(taskId);
        else await giveBack(taskId, how);
      }
    },
    start(task: Task, whose: "queue" | "caller"): Promise<void> {
      const lease = holdLease(task, { tasks, worker, leaseMs, log, onProgress: onNews });
      const done = see(lease, whose).finally(() => {
        lease.end();
        running.delete(task.id);
        onNews(task.id);
      });
      running.set(task.id, { lease, done });
      return done;
    },
    progressOf: (taskId: string) => running.get(taskId)?.lease.progress,
    stop: (taskId: string) => running.get(taskId)?.lease.stop("cancelled"),
    async close() {
      const open = [...running.values()];
      for (const { lease } of open) lease.stop("closing");
      await Promise.allSettled(open.map(({ done }) => done));
    },
  };
}

function isStoreTrouble({ code }: KnowledgeError): boolean {
  return ["STORE_FULL", "STORE_UNAVAILABLE", "AUDIT_UNAVAILABLE", "OVERLOADED"].includes(code);
}

/** A task fails only while it is held, and a stored document ends the hold: so nothing of it was stored. */
function withOutcome(error: KnowledgeError): KnowledgeError {
  if (error.details["outcome"] !== "unknown") return error;
  const message =
    "The database did not respond, and nothing of the document was stored. Add the file again; if it recurs, run `knowledge-server doctor`.";
  return new KnowledgeError(error.code, message, { cause: error });
}

/** The caller must not be left waiting for an end that nobody can write down. */
export function unrecorded({ code, message, details }: KnowledgeError): KnowledgeError {
  return new KnowledgeError(
    code,
    `${message} The add stays in the queue and is tried again by itself.`,
    { details },
  );
}

function interrupted({ attempts }: Task): KnowledgeError {
  return new KnowledgeError(
    "INTERRUPTED",
    `Processing was broken off ${attempts - 1} times, so it is not tried again. Add the file again, or a smaller part of it.`,
  );
}
