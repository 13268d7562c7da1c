// Worker threads that hold the model: started at first need, kept warm, stopped when idle.
//
//   submit ──▶ waiting (queries, passages) ──▶ a seat's running ──▶ resolved
//                 ▲    cancel drops it here        │ its worker died: back, once
//                 └────────────────────────────────┘
import { SHARE_ENV, Worker } from "node:worker_threads";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import { type SilenceWatch, settlesWithin, watchSilence } from "../../observe/silence.ts";
import type { EmbedState } from "../embed.ts";
import type { ModelProfile } from "./profile.ts";
import type { FromWorker, ToWorker, WorkerSetup } from "./worker.ts";

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

export interface Job {
  readonly kind: "query" | "passage";
  readonly id: number;
  readonly text: string;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: Error) => void;
  attempts: number;
}

export interface Pool {
  submit(job: Omit<Job, "id" | "attempts">): Job;
  /** The caller no longer waits. A run that has begun is finished and its result dropped. */
  cancel(job: Job): void;
  state(): EmbedState;
  close(): Promise<void>;
}

interface Seat {
  readonly worker: Worker;
  readonly running: Map<number, Job>;
  ready: boolean;
  watch?: SilenceWatch | undefined;
}

// One runs, one waits in the worker: a busy main thread does not leave the model without work.
const PASSAGES_AHEAD = 2;
// Loading the model once more takes as long as so many passages: a short note does not need it.
const WORTH_A_SEAT = 16;
// A passage takes a second on a slow machine, and a machine may be busy with other things for a minute.
const SILENT_MS = 120_000;
// Hundreds of megabytes from a cold disk, hashed before they are used.
const LOADING_FACTOR = 3;
// A run that has begun is finished first, and memory is given back; what takes longer is ended from outside.
const CLOSE_MS = 3_000;
const END_MS = 1_000;
// A text whose run kills its worker is tried once more, then given up.
const MAX_ATTEMPTS = 2;
// A repaired model is noticed without a restart.
const RETRY_FAILED_MS = 30_000;
const REMEDY =
  "Install the package again, or run `node scripts/model.ts` in a clone; `knowledge-server doctor` checks it.";

export function openPool({ log, ...options }: PoolOptions): Pool {
  const waiting = { query: new Set<Job>(), passage: new Set<Job>() };
  const seats = new Set<Seat>();
  let state: EmbedState = { kind: "cold" };
  let failedAt = 0;
  let checked = false;
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;

  const startSeat = (): Seat => {
    const { modelDir, profile } = options;
    const setup: WorkerSetup = { modelDir, profile, check: checked ? {} : profile.files };
    checked = true;
    const worker = new Worker(options.workerUrl, { workerData: setup, env: SHARE_ENV });
    const seat: Seat = { worker, running: new Map(), ready: false };
    seats.add(seat);
    if (state.kind !== "ready") state = { kind: "loading" };
    worker.on("message", (message: FromWorker) => hear(seat, message));
    worker.on("error", (error) => {
      log.error("embed.worker-failed", { error });
      if (!seat.ready) fail(error.message);
    });
    worker.on("messageerror", () => drop(seat, "its reply cannot be read"));
    worker.on("exit", () => lose(seat));
    return seat;
  };

  /** Started when a seat gets work, and again with everything that it says while it has some. */
  const watch = (seat: Seat): void => {
    seat.watch?.end();
    seat.watch = undefined;
    if (seat.running.size === 0) return;
    const silentMs = (options.silentMs ?? SILENT_MS) * (seat.ready ? 1 : LOADING_FACTOR);
    seat.watch = watchSilence({ silentMs, onSilent: () => drop(seat, "it does not respond") });
  };

  const drop = (seat: Seat, reason: string): void => {
    log.error("embed.worker-dropped", { reason });
    seat.worker.unref();
    void seat.worker.terminate();
    lose(seat);
  };

  const hear = (seat: Seat, message: FromWorker): void => {
    if (message.kind === "failed") fail(message.reason);
    else if (message.kind === "ready") {
      seat.ready = true;
      state = { kind: "ready" };
    } else {
      const job = seat.running.get(message.id);
      seat.running.delete(message.id);
      if (message.kind === "vector") job?.resolve(message.vector);
      else job?.reject(unavailable(message.reason));
      dispatch();
    }
    watch(seat);
  };

  const dispatch = (): void => {
    for (const job of waiting.query) send(job, leastBusy() ?? startSeat());
    for (const job of waiting.passage) {
      const seat = leastBusy();
      if (seat && seat.running.size < PASSAGES_AHEAD) send(job, seat);
      else if (isWorthASeat()) send(job, startSeat());
      else break;
    }
    for (const { worker, running } of seats) running.size > 0 ? worker.ref() : worker.unref();
    clearTimeout(idle);
    if ([...seats].every(({ running }) => running.size === 0)) {
      idle = setTimeout(stopAll, options.idleMs).unref();
    }
  };

  const isWorthASeat = (): boolean =>
    seats.size === 0 || (seats.size < options.workers && waiting.passage.size >= WORTH_A_SEAT);

  const leastBusy = (): Seat | undefined => {
    let best: Seat | undefined;
    for (const seat of seats) if (!best || loadOf(seat) < loadOf(best)) best = seat;
    return best;
  };

  const send = (job: Job, seat: Seat): void => {
    waiting[job.kind].delete(job);
    seat.running.set(job.id, job);
    const { kind, id, text } = job;
    seat.worker.postMessage({ kind, id, text } satisfies ToWorker);
    if (seat.watch === undefined) watch(seat);
  };

  const lose = (seat: Seat): void => {
    seat.watch?.end();
    if (!seats.delete(seat)) return;
    if (seats.size === 0 && state.kind !== "failed") state = { kind: "cold" };
    const suspect = firstOf(seat);
    for (const job of seat.running.values()) {
      // The others only waited for their turn.
      if (job === suspect) job.attempts++;
      if (job.attempts < MAX_ATTEMPTS) waiting[job.kind].add(job);
      else job.reject(unavailable("the model's thread ended"));
    }
    seat.running.clear();
    if (waiting.query.size + waiting.passage.size > 0) dispatch();
  };

  const fail = (reason: string): void => {
    log.error("embed.unavailable", { reason });
    state = { kind: "failed", reason: `The embedding model can't be used (${reason}). ${REMEDY}` };
    failedAt = performance.now();
    checked = false;
    rejectAll(reason);
  };

  const rejectAll = (reason: string): void => {
    const lost = [...waiting.query, ...waiting.passage];
    for (const seat of seats) lost.push(...seat.running.values());
    waiting.query.clear();
    waiting.passage.clear();
    stopAll();
    for (const job of lost) job.reject(unavailable(reason));
  };

  const stopAll = (): void => {
    clearTimeout(idle);
    for (const { worker, running, watch: watched } of seats) {
      running.clear();
      watched?.end();
      worker.unref();
      worker.postMessage({ kind: "stop" } satisfies ToWorker);
    }
    seats.clear();
    if (state.kind !== "failed") state = { kind: "cold" };
  };

  return {
    submit(request) {
      const job: Job = { ...request, id: ++lastId, attempts: 0 };
      if (state.kind === "failed" && performance.now() - failedAt < RETRY_FAILED_MS) {
        job.reject(new KnowledgeError("MODEL_UNAVAILABLE", state.reason));
        return job;
      }
      waiting[job.kind].add(job);
      dispatch();
      return job;
    },
    cancel(job) {
      waiting[job.kind].delete(job);
    },
    state: () => state,
    async close() {
      const threads = [...seats].map(({ worker }) => worker);
      const ended = threads.map((worker) => new Promise((done) => worker.once("exit", done)));
      rejectAll("the server is closing");
      for (const worker of threads) worker.ref();
      if (await settlesWithin(Promise.all(ended), options.closeMs ?? CLOSE_MS)) return;
      const terminated = Promise.all(threads.map((worker) => worker.terminate()));
      if (!(await settlesWithin(terminated, END_MS))) throw stuck();
    },
  };
}

/** A query waits for other texts rather than for a thread that still loads the model. */
function loadOf({ running, ready }: Seat): number {
  return ready ? running.size : running.size + WORTH_A_SEAT;
}

/** What the thread was most likely at: it takes queries first, then passages in their order. */
function firstOf({ running }: Seat): Job | undefined {
  const jobs = [...running.values()];
  return jobs.find(({ kind }) => kind === "query") ?? jobs[0];
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
