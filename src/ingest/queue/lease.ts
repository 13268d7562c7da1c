// One claimed task while it is worked on: the lease is renewed, and the work is stopped when the lease is gone.
import type { Task, TaskProgress } from "../../domain/task.ts";
import type { Log } from "../../observe/log.ts";
import type { TaskStore } from "../../store/store.ts";

export interface Lease {
  readonly task: Task;
  readonly signal: AbortSignal;
  readonly progress: TaskProgress;
  report(progress: TaskProgress): void;
  /** `cancelled`: by a user here. `closing`: this process ends and gives the task back. */
  stop(why: StopReason): void;
  end(): void;
}

/** `lost`: cancelled elsewhere, or taken over while this process slept. */
export type StopReason = "cancelled" | "closing" | "lost";

export interface LeaseOptions {
  readonly tasks: TaskStore;
  readonly worker: string;
  readonly leaseMs: number;
  readonly log: Log;
  readonly onProgress: (taskId: string) => void;
}

// A cancel from another process is seen at a renewal, so this is how long the CPU runs on.
const RENEW_EVERY_MS = 1_000;

export function holdLease(task: Task, options: LeaseOptions): Lease {
  const { tasks, worker, leaseMs, log } = options;
  const abort = new AbortController();
  let progress = task.progress;
  let renewing = false;
  let renewedAt = performance.now();

  const stop = (why: StopReason) => abort.abort(why);
  const renew = async () => {
    if (renewing) return;
    renewing = true;
    try {
      const held = await tasks.renew(task.id, worker, leaseMs, progress);
      if (held) renewedAt = performance.now();
      else stop("lost");
    } catch (error) {
      log.warn("ingest.renew-failed", { task: task.id, error });
      if (performance.now() - renewedAt > leaseMs) stop("lost");
    } finally {
      renewing = false;
    }
  };
  const timer = setInterval(() => void renew(), Math.min(RENEW_EVERY_MS, leaseMs / 3));

  return {
    task,
    signal: abort.signal,
    get progress() {
      return progress;
    },
    report(next) {
      progress = next;
      options.onProgress(task.id);
    },
    stop,
    end: () => clearInterval(timer),
  };
}
