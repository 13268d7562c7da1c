// Takes queued tasks, a bounded number at a time, and sees each to its end.
import { toKnowledgeError } from "../../domain/errors.ts";
import type { TaskProgress } from "../../domain/task.ts";
import type { Log } from "../../observe/log.ts";
import type { TaskStore } from "../../store/store.ts";
import { openRuns, type RunOptions, unrecorded } from "./runs.ts";
import { isDead, nameWorker } from "./worker-name.ts";

export interface WorkerOptions extends RunOptions {
  readonly concurrency: number;
  readonly pollMs: number;
  /** False while tasks are to stay queued. */
  readonly isOpen: () => Promise<boolean>;
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
      await run.settleOwed();
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
