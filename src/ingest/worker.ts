// Takes queued tasks, a bounded number at a time, and sees each to its end.
//
//   claimed ──work──▶ stored (completed with it)
//      │ ├─ the file's fault ──────────▶ failed
//      │ ├─ the store's fault ─────────▶ given back, and nothing is claimed for a while; a caller who waits is told
//      │ ├─ this process closes ───────▶ given back
//      │ └─ cancelled or lease lost ───▶ left as it is
//      └─ broken off too often ────────▶ failed (interrupted)
import { KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import type { Task, TaskProgress } from "../domain/task.ts";
import type { Log } from "../observe/log.ts";
import type { TaskStore } from "../store/store.ts";
import { holdLease, type Lease } from "./lease.ts";
import { openPause, type Pause } from "./pause.ts";
import { isDead, nameWorker } from "./worker-name.ts";

export interface WorkerOptions {
  readonly tasks: TaskStore;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly log: Log;
  /** False while tasks are to stay queued. */
  readonly isOpen: () => Promise<boolean>;
  /** Does the task, storing its result under the lease. */
  readonly work: (lease: Lease, worker: string) => Promise<void>;
  /** A task's progress or end is new. */
  readonly onNews: (taskId: string) => void;
  /** A task ended here without a document. */
  readonly onUnfinished: (task: Task) => Promise<void>;
}

export interface Worker {
  /** Looks for tasks from now on, also those of other processes that died. */
  start(): void;
  wake(): void;
  /** Does this very task here and now, if it is free. Rejects when the store cannot even record how it ended. */
  take(taskId: string): Promise<boolean>;
  isBusy(): boolean;
  progressOf(taskId: string): TaskProgress | undefined;
  /** Stops the work of a task that was cancelled in the store. */
  stop(taskId: string): void;
  close(): Promise<void>;
}

// A file that kills its process each time must not be tried for ever; an unlucky neighbour deserves some tries.
const MAX_ATTEMPTS = 5;
// Callers who wait for their own document go beside the queue, but not all at once: each holds a document's text
// and vectors in memory.
const MAX_WAITED_FOR = 4;

export function openWorker(options: WorkerOptions): Worker {
  const { tasks, concurrency, leaseMs, pollMs, log } = options;
  const worker = nameWorker();
  const run = openRuns(options, worker);
  const places = openPlaces(MAX_WAITED_FOR);
  const state: {
    timer?: NodeJS.Timeout;
    looking?: Promise<void> | undefined;
    again: boolean;
    inspecting: boolean;
    closed: boolean;
  } = { again: false, inspecting: false, closed: false };

  const look = async () => {
    if (state.inspecting) {
      state.inspecting = false;
      await freeDeadWorkersTasks(tasks, log);
    }
    const isFree = () => !state.closed && run.count() < concurrency && !run.pause.isOn();
    while (isFree() && (await options.isOpen())) {
      const task = await tasks.claim(worker, leaseMs);
      if (task === undefined) return;
      if (state.closed) return run.giveBack(task.id);
      void run.start(task, "queue").then(wake, wake);
    }
  };
  const wake = () => {
    if (state.closed || state.timer === undefined) return;
    state.again = true;
    state.looking ??= (async () => {
      while (state.again && !state.closed) {
        state.again = false;
        await look().catch((error: unknown) => log.warn("ingest.claim-failed", { error }));
      }
    })().finally(() => {
      state.looking = undefined;
    });
  };
  const claimById = (taskId: string) =>
    tasks.claimById(taskId, worker, leaseMs).catch((thrown: unknown) => {
      throw unrecorded(toKnowledgeError(thrown));
    });
  /** Other processes die seldom: looking for that now and then is enough. */
  const inspect = () => {
    state.inspecting = true;
    wake();
  };

  return {
    start() {
      if (state.timer !== undefined || state.closed) return;
      state.timer = setInterval(inspect, pollMs).unref();
      inspect();
    },
    wake,
    take: (taskId) =>
      places.within(async () => {
        const task = state.closed ? undefined : await claimById(taskId);
        if (task !== undefined) await run.start(task, "caller");
        return task !== undefined;
      }),
    isBusy: () => run.count() > 0,
    progressOf: run.progressOf,
    stop: run.stop,
    async close() {
      state.closed = true;
      clearInterval(state.timer);
      await state.looking;
      await run.close();
    },
  };
}

/** The tasks that are worked on here. */
function openRuns(options: WorkerOptions, worker: string) {
  const { tasks, leaseMs, log, onNews } = options;
  const running = new Map<string, { lease: Lease; done: Promise<void> }>();
  const pause: Pause = openPause();

  const giveBack = async (taskId: string, how: "release" | "expire" = "release") => {
    await tasks[how](taskId, worker).catch((error: unknown) => {
      // The lease runs out by itself, and the task is tried again later.
      log.warn("ingest.release-failed", { task: taskId, error });
    });
  };
  const fail = async (taskId: string, error: KnowledgeError) => {
    const level = error.code === "INTERNAL" ? "error" : "info";
    log[level]("ingest.failed", { task: taskId, code: error.code, error });
    const failure = { error: error.code.toLowerCase(), message: error.message };
    await tasks.fail(taskId, worker, failure).catch((cause: unknown) => {
      log.error("ingest.fail-failed", { task: taskId, error: cause });
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
        return giveBack(task.id, error.code === "STORE_FULL" ? "release" : "expire");
      }
      if (!signal.aborted) await fail(task.id, withOutcome(error));
      await options.onUnfinished(task);
    }
  };
  return {
    pause,
    giveBack,
    count: () => running.size,
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

/** Lets so many in at once; the others wait in line. */
function openPlaces(most: number) {
  const line: (() => void)[] = [];
  const state = { taken: 0 };
  return {
    async within<Result>(work: () => Promise<Result>): Promise<Result> {
      while (state.taken >= most) await new Promise<void>((resolve) => line.push(resolve));
      state.taken += 1;
      try {
        return await work();
      } finally {
        state.taken -= 1;
        line.shift()?.();
      }
    },
  };
}

async function freeDeadWorkersTasks(tasks: TaskStore, log: Log): Promise<void> {
  const { running } = await tasks.counts();
  if (running === 0) return;
  for (const { id, status, worker } of await tasks.list({ limit: 100, open: true })) {
    if (status !== "running" || worker === undefined || !isDead(worker)) continue;
    log.info("ingest.taken-over", { task: id });
    await tasks.expire(id, worker);
  }
}

function isStoreTrouble({ code }: KnowledgeError): boolean {
  return code === "STORE_FULL" || code === "STORE_UNAVAILABLE" || code === "OVERLOADED";
}

/** A task fails only while it is held, and a stored document ends the hold: so nothing of it was stored. */
function withOutcome(error: KnowledgeError): KnowledgeError {
  if (error.details["outcome"] !== "unknown") return error;
  const message =
    "The database did not respond, and nothing of the document was stored. Add the file again; if it recurs, run `knowledge-server doctor`.";
  return new KnowledgeError(error.code, message, { cause: error });
}

/** The caller must not be left waiting for an end that nobody can write down. */
function unrecorded({ code, message, details }: KnowledgeError): KnowledgeError {
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
