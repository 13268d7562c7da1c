// Worker threads that hold the model: started on first use, kept warm, stopped when idle.
//
//   cold ──first text──▶ loading ──a thread has it──▶ ready ──idle, or all threads lost──▶ cold
//    ▲                      └─ the model cannot be used ──▶ failed ──next text after a while──▶ loading
//
//   submit ──▶ waiting (queries, passages) ──▶ a thread's running ──▶ resolved
//                 ▲    cancel drops it here        │ its worker died: back, once
//                 └────────────────────────────────┘
import { KnowledgeError } from "../../domain/errors.ts";
import { settlesWithin } from "../../observe/silence.ts";
import type { EmbedState } from "../embed.ts";
import { dispatch } from "./dispatch.ts";
import type { Job } from "./model-thread.ts";
import {
  type PoolCore,
  type PoolOptions,
  type PoolState,
  rejectAll,
  unavailable,
} from "./pool-state.ts";

export interface Pool {
  submit(job: Omit<Job, "id" | "attempts">): Job;
  /** The caller no longer waits. A run that has started is finished and its result dropped. */
  cancel(job: Job): void;
  state(): EmbedState;
  close(): Promise<void>;
}

// A run or load that has started is finished first and its memory freed, because terminating native code from outside
// can crash the process. All rooms together have 8 s.
const CLOSE_MS = 6_000;
const END_MS = 1_000;
// After this time the model is tried again, so that a repaired model is noticed without a restart.
const RETRY_FAILED_MS = 30_000;

export function openPool(options: PoolOptions): Pool {
  const state: PoolState = {
    waiting: { query: new Set(), passage: new Set() },
    threads: new Set(),
    stopping: new Set(),
    model: { kind: "cold" },
    failedAt: 0,
    isChecked: false,
    isClosed: false,
    lastId: 0,
  };
  const pool: PoolCore = { ...options, state };
  return {
    submit(request) {
      state.lastId += 1;
      const job: Job = { ...request, id: state.lastId, attempts: 0 };
      submit(pool, job);
      return job;
    },
    cancel: (job) => void state.waiting[job.kind].delete(job),
    state: () => state.model,
    close: () => close(pool),
  };
}

function submit(pool: PoolCore, job: Job): void {
  // A thread started after closing would outlive the pool.
  if (pool.state.isClosed) {
    job.reject(unavailable("the server is closing"));
    return;
  }
  const { model, failedAt, waiting } = pool.state;
  if (model.kind === "failed" && performance.now() - failedAt < RETRY_FAILED_MS) {
    job.reject(new KnowledgeError("MODEL_UNAVAILABLE", model.reason));
    return;
  }
  waiting[job.kind].add(job);
  dispatch(pool);
}

async function close(pool: PoolCore): Promise<void> {
  pool.state.isClosed = true;
  rejectAll(pool, "the server is closing");
  const threads = [...pool.state.stopping];
  const ended = threads.map((worker) => new Promise((done) => worker.once("exit", done)));
  for (const worker of threads) worker.ref();
  if (await settlesWithin(Promise.all(ended), pool.closeMs ?? CLOSE_MS)) return;
  const terminated = Promise.all(threads.map((worker) => worker.terminate()));
  if (!(await settlesWithin(terminated, END_MS))) throw stuck();
}

function stuck(): KnowledgeError {
  const message = "A thread of the embedding model hangs and cannot be stopped.";
  return new KnowledgeError("MODEL_UNAVAILABLE", message, { details: { isStuck: true } });
}
