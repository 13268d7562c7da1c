// The lease of a claimed task: renews it, and stops the work when it is lost.
//
//   held ──renewed──▶ held
//    ├─ cancelled by a user here ─────────────────────────────────▶ stopped: cancelled
//    ├─ this process ends and gives the task back ────────────────▶ stopped: closing
//    └─ cancelled elsewhere, taken over, or not renewed in time ──▶ stopped: lost
import type { Task, TaskProgress } from "../../domain/task.ts";
import { notify, type QueueCore } from "./queue-state.ts";

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

export function holdLease(task: Task, queue: QueueCore): Lease {
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
