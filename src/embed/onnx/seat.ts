// One worker thread that holds the model, with the texts that were given to it.
//
//   loading ──▶ ready ──stop──▶ gone: it finishes the run that has begun, then ends by itself
//      │          └─ died, silent, unreadable ──▶ gone: its texts are handed back
//      └─ cannot load the model ──▶ reported as failed, and stopped by its starter
import { Worker } from "node:worker_threads";
import type { Log } from "../../observe/log.ts";
import { type SilenceWatch, watchSilence } from "../../observe/silence.ts";
import type { FromWorker, ToWorker, WorkerSetup } from "./worker.ts";

export interface Job {
  readonly kind: "query" | "passage";
  readonly id: number;
  readonly text: string;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: Error) => void;
  attempts: number;
}

export interface SeatOptions {
  readonly workerUrl: URL;
  /** How long a thread with work may say nothing; while it loads the model, longer. */
  readonly silentMs: number;
  readonly log: Log;
}

export interface SeatEvents {
  onReady(): void;
  /** The model cannot be used, here or in another thread. */
  onFailed(reason: string): void;
  /** It is done with a text, which the model refused with a reason or turned into a vector. */
  onDone(job: Job | undefined, outcome: Vector | Refusal): void;
  onLost(seat: Seat): void;
}

type Vector = Extract<FromWorker, { kind: "vector" }>;
type Refusal = Extract<FromWorker, { kind: "refused" }>;

export interface Seat {
  readonly worker: Worker;
  readonly running: Map<number, Job>;
  phase: "loading" | "ready" | "gone";
  watch?: SilenceWatch | undefined;
  give(job: Job): void;
  stop(): void;
}

// Hundreds of megabytes from a cold disk, hashed before they are used.
const LOADING_FACTOR = 3;

export function startSeat(setup: WorkerSetup, options: SeatOptions, events: SeatEvents): Seat {
  const worker = new Worker(options.workerUrl, { workerData: setup });
  const seat: Seat = {
    worker,
    running: new Map(),
    phase: "loading",
    give: (job) => give(seat, job, rewatch),
    stop: () => stop(seat),
  };
  const lose = () => {
    if (leave(seat)) events.onLost(seat);
  };
  const drop = (reason: string) => {
    options.log.error("embed.worker-dropped", { reason });
    worker.unref();
    void worker.terminate();
    lose();
  };
  const rewatch = () => watch(seat, options.silentMs, () => drop("it does not respond"));
  worker.on("message", (message: FromWorker) => {
    hear(seat, message, events);
    rewatch();
  });
  worker.on("error", (error) => {
    options.log.error("embed.worker-failed", { error });
    if (seat.phase === "loading") events.onFailed(error.message);
  });
  worker.on("messageerror", () => drop("its reply cannot be read"));
  worker.on("exit", lose);
  return seat;
}

function give(seat: Seat, job: Job, rewatch: () => void): void {
  seat.running.set(job.id, job);
  const { kind, id, text } = job;
  seat.worker.postMessage({ kind, id, text } satisfies ToWorker);
  if (seat.watch === undefined) rewatch();
}

function hear(seat: Seat, message: FromWorker, events: SeatEvents): void {
  if (message.kind === "failed") events.onFailed(message.reason);
  else if (message.kind !== "ready") {
    const job = seat.running.get(message.id);
    seat.running.delete(message.id);
    events.onDone(job, message);
  } else if (seat.phase === "loading") {
    seat.phase = "ready";
    events.onReady();
  }
}

/** Started when a seat gets work, and again with everything that it says while it has some. */
function watch(seat: Seat, ms: number, onSilent: () => void): void {
  seat.watch?.end();
  seat.watch = undefined;
  if (seat.running.size === 0) return;
  const silentMs = ms * (seat.phase === "loading" ? LOADING_FACTOR : 1);
  seat.watch = watchSilence({ silentMs, onSilent });
}

function stop(seat: Seat): void {
  if (!leave(seat)) return;
  seat.running.clear();
  seat.worker.unref();
  seat.worker.postMessage({ kind: "stop" } satisfies ToWorker);
}

/** False: it has left already. */
function leave(seat: Seat): boolean {
  seat.watch?.end();
  if (seat.phase === "gone") return false;
  seat.phase = "gone";
  return true;
}
