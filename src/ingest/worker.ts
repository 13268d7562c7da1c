// Takes queued tasks, a bounded number at a time, and sees each to its end.
import { KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import type { Task, TaskProgress } from "../domain/task.ts";
import type { Log } from "../observe/log.ts";
import type { TaskStore } from "../store/store.ts";
import { holdLease, type Lease } from "./lease.ts";
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
  /** Does this very task here and now, if it is free. */
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
  const { tasks, concurrency, leaseMs, pollMs, log, onNews } = options;
  const worker = nameWorker();
  const running = new Map<string, { lease: Lease; done: Promise<void> }>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let again = false;
  let inspecting = false;
  let closed = false;
  let taking = 0;
  const places: (() => void)[] = [];

  const run = (task: Task) => {
    const lease = holdLease(task, { tasks, worker, leaseMs, log, onProgress: onNews });
    const done = see(lease).finally(() => {
      lease.end();
      running.delete(task.id);
      onNews(task.id);
    });
    running.set(task.id, { lease, done });
    return done;
  };

  const see = async (lease: Lease) => {
    const { task, signal } = lease;
    try {
      if (task.attempts > MAX_ATTEMPTS) throw interrupted(task);
      await options.work(lease, worker);
    } catch (thrown) {
      if (signal.reason === "closing") return giveBack(task.id);
      if (!signal.aborted) await fail(task.id, toKnowledgeError(thrown));
      await options.onUnfinished(task);
    }
  };

  const giveBack = async (taskId: string) => {
    await tasks.release(taskId, worker).catch((error: unknown) => {
      log.warn("ingest.release-failed", { task: taskId, error });
    });
  };

  const fail = async (taskId: string, error: KnowledgeError) => {
    const level = error.code === "INTERNAL" ? "error" : "info";
    log[level]("ingest.failed", { task: taskId, code: error.code, error });
    const failure = { error: error.code.toLowerCase(), message: error.message };
    await tasks.fail(taskId, worker, failure).catch((cause: unknown) => {
      // A full disk: the lease runs out and the task is tried again later.
      log.error("ingest.fail-failed", { task: taskId, error: cause });
    });
  };

  const look = async () => {
    if (inspecting) {
      inspecting = false;
      await freeDeadWorkersTasks(tasks, log);
    }
    while (!closed && running.size < concurrency && (await options.isOpen())) {
      const task = await tasks.claim(worker, leaseMs);
      if (task === undefined) return;
      if (closed) return giveBack(task.id);
      void run(task).then(wake);
    }
  };

  const wake = () => {
    if (closed || timer === undefined) return;
    again = true;
    looking ??= (async () => {
      while (again && !closed) {
        again = false;
        await look().catch((error: unknown) => log.warn("ingest.claim-failed", { error }));
      }
    })().finally(() => {
      looking = undefined;
    });
  };

  /** Other processes die seldom: looking for that now and then is enough. */
  const inspect = () => {
    inspecting = true;
    wake();
  };

  return {
    start() {
      if (timer !== undefined || closed) return;
      timer = setInterval(inspect, pollMs).unref();
      inspect();
    },
    wake,
    async take(taskId) {
      while (taking >= MAX_WAITED_FOR) await new Promise<void>((resolve) => places.push(resolve));
      taking += 1;
      try {
        const task = closed ? undefined : await tasks.claimById(taskId, worker, leaseMs);
        if (task !== undefined) await run(task);
        return task !== undefined;
      } finally {
        taking -= 1;
        places.shift()?.();
      }
    },
    isBusy: () => running.size > 0,
    progressOf: (taskId) => running.get(taskId)?.lease.progress,
    stop: (taskId) => running.get(taskId)?.lease.stop("cancelled"),
    async close() {
      closed = true;
      clearInterval(timer);
      await looking;
      const open = [...running.values()];
      for (const { lease } of open) lease.stop("closing");
      await Promise.all(open.map(({ done }) => done));
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

function interrupted({ attempts }: Task): KnowledgeError {
  return new KnowledgeError(
    "INTERRUPTED",
    `Processing was broken off ${attempts - 1} times, so it is not tried again. Add the file again, or a smaller part of it.`,
  );
}
