// Worker threads that hold the model: started at first need, kept warm, stopped when idle.
//
//   cold ──first text──▶ loading ──a thread has it──▶ ready ──idle, or all threads lost──▶ cold
//    ▲                      └─ the model cannot be used ──▶ failed ──next text after a while──▶ loading
//
//   submit ──▶ waiting (queries, passages) ──▶ a seat's running ──▶ resolved
//                 ▲    cancel drops it here        │ its worker died: back, once
//                 └────────────────────────────────┘
import type { Worker } from "node:worker_threads";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import { settlesWithin } from "../../observe/silence.ts";
import type { EmbedState } from "../embed.ts";
import type { ModelProfile } from "./profile.ts";
import { type Job, type Seat, startSeat } from "./seat.ts";

export interface PoolOptions {
  readonly modelDir: string;
  readonly profile: ModelProfile;
  readonly workerUrl: URL;
  readonly workers: number;
  readonly idleMs: number;
  /** How long a thread with work may say nothing; while it loads the model, longer. */
  readonly silentMs?: number;
  /** How long closing waits for runs that have begun. */
  readonly closeMs?: number;
  readonly log: Log;
}

export interface Pool {
  submit(job: Omit<Job, "id" | "attempts">): Job;
  /** The caller no longer waits. A run that has begun is finished and its result dropped. */
  cancel(job: Job): void;
  state(): EmbedState;
  close(): Promise<void>;
}

interface PoolState {
  readonly waiting: Readonly<Record<Job["kind"], Set<Job>>>;
  readonly seats: Set<Seat>;
  /** Stopped, and not yet ended: a process that exits before them would tear the model from under their feet. */
  readonly leaving: Set<Worker>;
  model: EmbedState;
  failedAt: number;
  /** The model's files were compared with their hashes in this process. */
  isChecked: boolean;
  isClosed: boolean;
  lastId: number;
  idle?: NodeJS.Timeout;
}

interface PoolCore extends PoolOptions {
  readonly state: PoolState;
}

// One runs, one waits in the worker: a busy main thread does not leave the model without work.
const PASSAGES_AHEAD = 2;
// Loading the model once more takes as long as so many passages: a short note does not need it.
const WORTH_A_SEAT = 16;
// A passage takes a second on a slow machine, and a machine may be busy with other things for a minute.
const SILENT_MS = 120_000;
// A run or a loading that has begun is finished first, and memory is given back: native code that is ended from outside
// can take the process with it. The rooms together have 8 s.
const CLOSE_MS = 6_000;
const END_MS = 1_000;
// A text whose run kills its worker is tried once more, then given up.
const MAX_ATTEMPTS = 2;
// A repaired model is noticed without a restart.
const RETRY_FAILED_MS = 30_000;
const REMEDY =
  "Install the package again, or run `node scripts/model.ts` in a clone; `knowledge-server doctor` checks it.";

export function openPool(options: PoolOptions): Pool {
  const state: PoolState = {
    waiting: { query: new Set(), passage: new Set() },
    seats: new Set(),
    leaving: new Set(),
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
  // A thread that is started now would outlive the pool.
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

function dispatch(pool: PoolCore): void {
  const { waiting, seats } = pool.state;
  for (const job of waiting.query) send(pool, job, leastBusy(seats) ?? addSeat(pool));
  for (const job of waiting.passage) {
    const seat = seatForPassage(pool);
    if (seat === undefined) break;
    send(pool, job, seat);
  }
  for (const { worker, running } of seats) running.size > 0 ? worker.ref() : worker.unref();
  stopWhenIdle(pool);
}

function send({ state }: PoolCore, job: Job, seat: Seat): void {
  state.waiting[job.kind].delete(job);
  seat.give(job);
}

/** None: the passage waits its turn. */
function seatForPassage(pool: PoolCore): Seat | undefined {
  const { waiting, seats } = pool.state;
  const seat = leastBusy(seats);
  if (seat && seat.running.size < PASSAGES_AHEAD) return seat;
  const isWorthMore = seats.size < pool.workers && waiting.passage.size >= WORTH_A_SEAT;
  return seats.size === 0 || isWorthMore ? addSeat(pool) : undefined;
}

function leastBusy(seats: ReadonlySet<Seat>): Seat | undefined {
  let best: Seat | undefined;
  for (const seat of seats) if (!best || loadOf(seat) < loadOf(best)) best = seat;
  return best;
}

/** A query waits for other texts rather than for a thread that still loads the model. */
function loadOf({ running, phase }: Seat): number {
  return phase === "ready" ? running.size : running.size + WORTH_A_SEAT;
}

function addSeat(pool: PoolCore): Seat {
  const { state, modelDir, profile, workerUrl, log, silentMs = SILENT_MS } = pool;
  const setup = { modelDir, profile, check: state.isChecked ? {} : profile.files };
  state.isChecked = true;
  const seat = startSeat(
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
      onLost: (lost) => lose(pool, lost),
    },
  );
  state.seats.add(seat);
  if (state.model.kind !== "ready") state.model = { kind: "loading" };
  return seat;
}

function lose(pool: PoolCore, seat: Seat): void {
  const { waiting, seats, model } = pool.state;
  seats.delete(seat);
  if (seats.size === 0 && model.kind !== "failed") pool.state.model = { kind: "cold" };
  const suspect = firstOf(seat);
  for (const job of seat.running.values()) {
    // The others only waited for their turn.
    if (job === suspect) job.attempts++;
    if (job.attempts < MAX_ATTEMPTS) waiting[job.kind].add(job);
    else job.reject(unavailable("the model's thread ended"));
  }
  seat.running.clear();
  if (waiting.query.size + waiting.passage.size > 0) dispatch(pool);
}

/** What the thread was most likely at: it takes queries first, then passages in their order. */
function firstOf({ running }: Seat): Job | undefined {
  const jobs = [...running.values()];
  return jobs.find(({ kind }) => kind === "query") ?? jobs[0];
}

function fail(pool: PoolCore, reason: string): void {
  const { state, log } = pool;
  log.error("embed.unavailable", { reason });
  const advice = `The embedding model can't be used (${reason}). ${REMEDY}`;
  state.model = { kind: "failed", reason: advice };
  state.failedAt = performance.now();
  state.isChecked = false;
  rejectAll(pool, reason);
}

function rejectAll(pool: PoolCore, reason: string): void {
  const { waiting, seats } = pool.state;
  const lost = [...waiting.query, ...waiting.passage];
  for (const seat of seats) lost.push(...seat.running.values());
  waiting.query.clear();
  waiting.passage.clear();
  stopAll(pool);
  for (const job of lost) job.reject(unavailable(reason));
}

function stopWhenIdle(pool: PoolCore): void {
  const { state, idleMs } = pool;
  clearTimeout(state.idle);
  if ([...state.seats].some(({ running }) => running.size > 0)) return;
  state.idle = setTimeout(stopAll, idleMs, pool).unref();
}

function stopAll({ state }: PoolCore): void {
  clearTimeout(state.idle);
  for (const seat of state.seats) {
    state.leaving.add(seat.worker);
    seat.worker.once("exit", () => state.leaving.delete(seat.worker));
    seat.stop();
  }
  state.seats.clear();
  if (state.model.kind !== "failed") state.model = { kind: "cold" };
}

async function close(pool: PoolCore): Promise<void> {
  pool.state.isClosed = true;
  rejectAll(pool, "the server is closing");
  const threads = [...pool.state.leaving];
  const ended = threads.map((worker) => new Promise((done) => worker.once("exit", done)));
  for (const worker of threads) worker.ref();
  if (await settlesWithin(Promise.all(ended), pool.closeMs ?? CLOSE_MS)) return;
  const terminated = Promise.all(threads.map((worker) => worker.terminate()));
  if (!(await settlesWithin(terminated, END_MS))) throw stuck();
}

function stuck(): KnowledgeError {
  const message = "A thread of the embedding model hangs and cannot be ended.";
  return new KnowledgeError("MODEL_UNAVAILABLE", message, { details: { isStuck: true } });
}

function unavailable(reason: string): KnowledgeError {
  return new KnowledgeError(
    "MODEL_UNAVAILABLE",
    `The embedding model can't be used (${reason}). ${REMEDY}`,
  );
}
