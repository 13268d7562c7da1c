// Notifies whoever waits for a task in this process; tasks worked elsewhere are polled.
import { KnowledgeError } from "../../domain/errors.ts";
import type { Task, TaskProgress } from "../../domain/task.ts";
import type { TaskStore } from "../../store/store.ts";

export interface TaskEvents {
  notify(taskId: string): void;
  /** Resolves with the ended task. `onProgress` gets each step, and never less than before. */
  follow(taskId: string, options: FollowOptions): Promise<Task>;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: TaskProgress) => void) | undefined;
}

const ASK_EVERY_MS = 500;
// Fast enough for a bar to look alive, slow enough not to flood a connection.
const AT_MOST_EVERY_MS = 100;

export function openTaskEvents(
  tasks: TaskStore,
  progressOf: (taskId: string) => TaskProgress | undefined,
): TaskEvents {
  const waiting = new Map<string, Set<() => void>>();

  const next = (taskId: string, signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiters = waiting.get(taskId) ?? new Set();
    waiting.set(taskId, waiters);
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      waiters.delete(end);
      if (waiters.size === 0) waiting.delete(taskId);
      resolve();
    };
    const timer = setTimeout(end, ASK_EVERY_MS);
    signal.addEventListener("abort", end);
    waiters.add(end);
    return { notified: promise, end };
  };

  return {
    notify(taskId) {
      for (const wake of [...(waiting.get(taskId) ?? [])]) wake();
    },
    async follow(taskId, { signal, onProgress }) {
      let last: TaskProgress | undefined;
      let reportedAt = Number.NEGATIVE_INFINITY;
      for (;;) {
        // Waiting begins before the look, so that nothing that happens in between is missed.
        const wait = next(taskId, signal);
        try {
          const local = progressOf(taskId);
          const task = local === undefined ? await known(tasks, taskId) : undefined;
          if (task !== undefined && isEnded(task)) return task;
          const progress = local ?? (task?.status === "running" ? task.progress : undefined);
          const due = performance.now() - reportedAt >= AT_MOST_EVERY_MS;
          if (due && progress !== undefined && isNew(progress, last)) {
            onProgress?.(progress);
            last = progress;
            reportedAt = performance.now();
          }
          await wait.notified;
          if (signal.aborted) throw new KnowledgeError("CANCELLED", "The call was cancelled.");
        } finally {
          // A timer left behind would hold the process open.
          wait.end();
        }
      }
    },
  };
}

export function isEnded({ status }: Task): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

async function known(tasks: TaskStore, taskId: string): Promise<Task> {
  const task = await tasks.get(taskId);
  if (task !== undefined) return task;
  throw new KnowledgeError("TASK_NOT_FOUND", `Task with ID '${taskId}' not found`, {
    details: { task_id: taskId },
  });
}

function isNew(progress: TaskProgress, last: TaskProgress | undefined): boolean {
  return last === undefined || progress.fraction > last.fraction;
}
