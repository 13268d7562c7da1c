// Waits for a task's end: by events for tasks of this process, by polling for others.
import { KnowledgeError } from "../../domain/errors.ts";
import type { Task, TaskProgress } from "../../domain/task.ts";
import { isEnded, progressOf, type QueueCore, type QueueState } from "./queue-state.ts";

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Called with each step; progress never decreases. */
  readonly onProgress?: ((progress: TaskProgress) => void) | undefined;
}

const POLL_MS = 500;
// Often enough for a smooth progress bar, not so often that it floods a connection.
const REPORT_EVERY_MS = 100;

/** Resolves with the ended task. */
export async function follow(
  queue: QueueCore,
  taskId: string,
  { signal, onProgress = () => {} }: FollowOptions,
): Promise<Task> {
  const report = reportEach(onProgress);
  for (;;) {
    // Subscribe before reading the task, so a change in between is not missed.
    const wait = waitForChange(queue.state, taskId, signal);
    try {
      const local = progressOf(queue.state, taskId);
      const task = local === undefined ? await findTask(queue, taskId) : undefined;
      if (task !== undefined && isEnded(task)) return task;
      report(local ?? (task?.status === "running" ? task.progress : undefined));
      await wait.notified;
      if (signal.aborted) throw new KnowledgeError("CANCELLED", "The call was cancelled.");
    } finally {
      // A timer left behind would keep the process alive.
      wait.end();
    }
  }
}

export async function findTask({ state, store }: QueueCore, taskId: string): Promise<Task> {
  const found = await store.tasks.get(taskId);
  const progress = progressOf(state, taskId);
  // The store gets progress only once per second; this process has the current value.
  if (found?.status === "running" && progress !== undefined) return { ...found, progress };
  if (found !== undefined) return found;
  throw new KnowledgeError("TASK_NOT_FOUND", `Task with ID '${taskId}' not found`, {
    details: { task_id: taskId },
  });
}

function reportEach(onProgress: (progress: TaskProgress) => void) {
  const last = { fraction: Number.NEGATIVE_INFINITY, reportedAt: Number.NEGATIVE_INFINITY };
  return (progress: TaskProgress | undefined) => {
    const isDue = performance.now() - last.reportedAt >= REPORT_EVERY_MS;
    if (!isDue || progress === undefined || progress.fraction <= last.fraction) return;
    onProgress(progress);
    last.fraction = progress.fraction;
    last.reportedAt = performance.now();
  };
}

function waitForChange({ waiting }: QueueState, taskId: string, signal: AbortSignal) {
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
  const timer = setTimeout(end, POLL_MS);
  signal.addEventListener("abort", end);
  waiters.add(end);
  return { notified: promise, end };
}
