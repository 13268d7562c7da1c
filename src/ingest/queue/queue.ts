// The queue of this process, over the tasks that all processes share.
//
//   new ──start──▶ idle ──wake, poll──▶ looking ──nothing waits, no place, paused, not open──▶ idle
//    └──────────────┴───────────────────────┴──close──▶ closed: held tasks are stopped and returned
//
// A task, once claimed (runForCaller: for its caller, also before the start):
//
//   claimed ──work──▶ stored (completed with it)
//      │ ├─ the file's fault ──────────▶ failed
//      │ ├─ the store's fault ─────────▶ returned, and nothing is claimed for a while; a waiting caller is notified
//      │ ├─ this process closes ───────▶ returned
//      │ └─ cancelled or lease lost ───▶ left unchanged
//      └─ interrupted too often ───────▶ failed (interrupted)
import { randomUUID } from "node:crypto";
import { KnowledgeError } from "../../domain/errors.ts";
import { type AddRequest, isSetAside, type Task, type TaskProgress } from "../../domain/task.ts";
import { settlesWithin } from "../../observe/silence.ts";
import { inspect, runForCaller, wake } from "./claim.ts";
import {
  isEnded,
  newQueueState,
  notify,
  progressOf,
  type QueueCore,
  type QueueOptions,
  type QueueState,
} from "./queue-state.ts";
import { discardOriginal } from "./run-task.ts";

const RETRY_MS = 1_000;

export type Queue = ReturnType<typeof openQueue>;

export function openQueue(options: QueueOptions) {
  const state = newQueueState();
  const queue: QueueCore = { ...options, state };
  return {
    /** Starts working on queued tasks, including those of processes that died. */
    start: () => start(queue),
    /** Looks for tasks now instead of at the next poll. */
    wake: () => wake(queue),
    /** The number of open tasks; throws if the queue is full. */
    async admit() {
      const { queued, running } = await queue.store.tasks.counts();
      if (queued >= queue.maxQueued) throw full(queued);
      return queued + running;
    },
    /** Durable when it returns. */
    enqueue: (request: AddRequest) => queue.store.tasks.enqueue(randomUUID(), request),
    task: (taskId: string) => findTask(queue, taskId),
    /** Resolves with the ended task, rejects when this process ends first. */
    follow: (taskId: string, onProgress: FollowOptions["onProgress"]) =>
      follow(queue, taskId, { signal: state.closing.signal, onProgress }),
    /** Runs the task here if no process has claimed it, else waits for the one that has. The signal cancels it. */
    finish: (taskId: string, how: FollowOptions) => finish(queue, taskId, how),
    /** Stops the work in whichever process does it, and leaves nothing of the document. An ended task stays unchanged. */
    cancel: (taskId: string) => cancel(queue, taskId),
    isBusy: () => state.held.size > 0,
    close: () => close(queue),
  };
}

function start(queue: QueueCore): void {
  const { state, pollMs } = queue;
  if (state.phase.kind !== "new") return;
  state.phase = { kind: "idle" };
  state.poll = setInterval(() => inspect(queue), pollMs).unref();
  inspect(queue);
}

function full(queued: number): KnowledgeError {
  return new KnowledgeError(
    "OVERLOADED",
    `${queued} documents are already waiting. Try again when some are done.`,
    { details: { retry_after_seconds: 60 } },
  );
}

async function finish(queue: QueueCore, taskId: string, options: FollowOptions): Promise<Task> {
  const { signal, onProgress } = options;
  // The caller has already cancelled, so do not start.
  if (signal.aborted) return cancel(queue, taskId);
  const stop = () =>
    void cancel(queue, taskId).catch((error: unknown) =>
      queue.log.warn("ingest.cancel-failed", { task: taskId, error }),
    );
  signal.addEventListener("abort", stop, { once: true });
  try {
    const both = AbortSignal.any([signal, queue.state.closing.signal]);
    const followed = follow(queue, taskId, { signal: both, onProgress });
    // It may fail before it is awaited.
    followed.catch(() => {});
    return await runUntilEnded(queue, await findTask(queue, taskId), followed);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function runUntilEnded(queue: QueueCore, task: Task, followed: Promise<Task>) {
  for (;;) {
    const taken = runForCaller(queue, task);
    // It may fail before it is awaited.
    taken.catch(() => {});
    // A cancelled call ends when its work has stopped.
    const ended = followed.then(
      () => true,
      () => taken,
    );
    const isOver = await Promise.race([taken, ended]);
    // The process that holds the task may return it, or fail to; either way this call must respond.
    if (isOver || (await settlesWithin(followed, RETRY_MS))) return await followed;
  }
}

async function cancel(queue: QueueCore, taskId: string): Promise<Task> {
  const { state, store } = queue;
  const before = await findTask(queue, taskId);
  if (isEnded(before) && !isSetAside(before)) return before;
  const held = state.held.get(taskId)?.lease;
  // Documents that a folder has already added stay, so its last counts are stored.
  if (before.request.many && held)
    await store.tasks.renew(taskId, held.worker, queue.leaseMs, held.progress);
  const after = (await store.tasks.cancel(taskId)) ?? before;
  held?.stop("cancelled");
  notify(state, taskId);
  if (after.status === "cancelled") await discardOriginal(queue, after);
  return after;
}

async function close({ state }: QueueCore): Promise<void> {
  const before = state.phase;
  state.phase = { kind: "closed" };
  clearInterval(state.poll);
  state.closing.abort("closing");
  if (before.kind === "looking") await before.done;
  const held = [...state.held.values()];
  for (const { lease } of held) lease.stop("closing");
  await Promise.allSettled(held.map(({ done }) => done));
}

// Waits for a task's end: by events for tasks of this process, by polling for others.

interface FollowOptions {
  readonly signal: AbortSignal;
  /** Called with each step; progress never decreases. */
  readonly onProgress?: ((progress: TaskProgress) => void) | undefined;
}

const POLL_MS = 500;
// Often enough for a smooth progress bar, not so often that it floods a connection.
const REPORT_EVERY_MS = 100;

/** Resolves with the ended task. */
async function follow(
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

async function findTask({ state, store }: QueueCore, taskId: string): Promise<Task> {
  const found = await store.tasks.get(taskId);
  const progress = progressOf(state, taskId);
  // The store gets progress only once per second; this process has the current value.
  if (found?.status === "running" && progress !== undefined) return { ...found, progress };
  if (found !== undefined) return found;
  throw taskNotFound(taskId);
}

export function taskNotFound(taskId: string): KnowledgeError {
  return new KnowledgeError("TASK_NOT_FOUND", `Task with ID '${taskId}' not found`, {
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
