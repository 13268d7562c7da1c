// Assigns texts to threads, starts another thread if it is worth it, and recovers the texts of a lost one.

import { type Job, type ModelThread, startModelThread } from "./model-thread.ts";
import { fail, type PoolCore, stopWhenIdle, unavailable } from "./pool-state.ts";

// One runs and one waits in the worker, so that a busy main thread does not leave the model without work.
const PASSAGES_PER_THREAD = 2;
// Loading the model again takes as long as this many passages, so a short note does not start a thread.
const WORTH_A_THREAD = 16;
// A passage takes a second on a slow machine, and a machine may be busy with other things for a minute.
const SILENT_MS = 120_000;
// A text that kills its worker is retried once.
const MAX_ATTEMPTS = 2;

export function dispatch(pool: PoolCore): void {
  const { waiting, threads } = pool.state;
  for (const job of waiting.query) assign(pool, job, leastBusy(threads) ?? addThread(pool));
  for (const job of waiting.passage) {
    const thread = threadForPassage(pool);
    if (thread === undefined) break;
    assign(pool, job, thread);
  }
  for (const { worker, running } of threads) running.size > 0 ? worker.ref() : worker.unref();
  stopWhenIdle(pool);
}

function assign({ state }: PoolCore, job: Job, thread: ModelThread): void {
  state.waiting[job.kind].delete(job);
  thread.send(job);
}

/** Undefined if the passage has to wait. */
function threadForPassage(pool: PoolCore): ModelThread | undefined {
  const { waiting, threads } = pool.state;
  const thread = leastBusy(threads);
  if (thread && thread.running.size < PASSAGES_PER_THREAD) return thread;
  const isWorthMore = threads.size < pool.workers && waiting.passage.size >= WORTH_A_THREAD;
  return threads.size === 0 || isWorthMore ? addThread(pool) : undefined;
}

function leastBusy(threads: ReadonlySet<ModelThread>): ModelThread | undefined {
  let best: ModelThread | undefined;
  for (const thread of threads) if (!best || loadOf(thread) < loadOf(best)) best = thread;
  return best;
}

/** Behind other texts a query waits less than for a thread that is still loading the model. */
function loadOf({ running, phase }: ModelThread): number {
  return phase === "ready" ? running.size : running.size + WORTH_A_THREAD;
}

function addThread(pool: PoolCore): ModelThread {
  const { state, modelDir, profile, workerUrl, log, silentMs = SILENT_MS } = pool;
  const setup = { modelDir, profile, check: state.isChecked ? {} : profile.files };
  state.isChecked = true;
  const thread = startModelThread(
    setup,
    { workerUrl, silentMs, log },
    {
      onReady() {
        state.model = { kind: "ready" };
      },
      onFailed: (reason) => fail(pool, reason),
      onDone(job, outcome) {
        if (outcome.kind === "vector") job?.resolve(outcome.vector);
        else job?.reject(unavailable(outcome.reason));
        dispatch(pool);
      },
      onLost: (lost) => recover(pool, lost),
    },
  );
  state.threads.add(thread);
  if (state.model.kind !== "ready") state.model = { kind: "loading" };
  return thread;
}

function recover(pool: PoolCore, thread: ModelThread): void {
  const { waiting, threads, model } = pool.state;
  threads.delete(thread);
  if (threads.size === 0 && model.kind !== "failed") pool.state.model = { kind: "cold" };
  const suspect = likelyCulprit(thread);
  for (const job of thread.running.values()) {
    // The other texts were only waiting.
    if (job === suspect) job.attempts++;
    if (job.attempts < MAX_ATTEMPTS) waiting[job.kind].add(job);
    else job.reject(unavailable("the model's thread ended"));
  }
  thread.running.clear();
  if (waiting.query.size + waiting.passage.size > 0) dispatch(pool);
}

/** The job that most likely killed the thread: queries run first, then passages in order. */
function likelyCulprit({ running }: ModelThread): Job | undefined {
  const jobs = [...running.values()];
  return jobs.find(({ kind }) => kind === "query") ?? jobs[0];
}
