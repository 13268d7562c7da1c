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

export interface ModelThreadOptions {
  readonly workerUrl: URL;
  /** How long a thread with work may be silent; longer while it loads the model. */
  readonly silentMs: number;
  readonly log: Log;
}

export interface ModelThreadEvents {
  onReady(): void;
  /** The model cannot be used, in this thread or in any other. */
  onFailed(reason: string): void;
  /** The model has turned a text into a vector or refused it with a reason. */
  onDone(job: Job | undefined, outcome: Vector | Refusal): void;
  onLost(thread: ModelThread): void;
}

type Vector = Extract<FromWorker, { kind: "vector" }>;
type Refusal = Extract<FromWorker, { kind: "refused" }>;

export interface ModelThread {
  readonly worker: Worker;
  readonly running: Map<number, Job>;
  phase: "loading" | "ready" | "gone";
  watch?: SilenceWatch | undefined;
  send(job: Job): void;
  stop(): void;
}

// The model has hundreds of megabytes, which may come from a cold disk and are hashed before use.
const LOADING_FACTOR = 3;

export function startModelThread(
  setup: WorkerSetup,
  options: ModelThreadOptions,
  events: ModelThreadEvents,
): ModelThread {
  const worker = new Worker(options.workerUrl, { workerData: setup });
  const thread: ModelThread = {
    worker,
    running: new Map(),
    phase: "loading",
    send: (job) => send(thread, job, restartWatch),
    stop: () => stop(thread),
  };
  const reportLost = () => {
    if (markGone(thread)) events.onLost(thread);
  };
  const drop = (reason: string) => {
    options.log.error("embed.worker-dropped", { reason });
    worker.unref();
    void worker.terminate();
    reportLost();
  };
  const restartWatch = () => watch(thread, options.silentMs, () => drop("it does not respond"));
  worker.on("message", (message: FromWorker) => {
    handleMessage(thread, message, events);
    restartWatch();
  });
  worker.on("error", (error) => {
    options.log.error("embed.worker-failed", { error });
    if (thread.phase === "loading") events.onFailed(error.message);
  });
  worker.on("messageerror", () => drop("its reply cannot be read"));
  worker.on("exit", reportLost);
  return thread;
}

function send(thread: ModelThread, job: Job, restartWatch: () => void): void {
  thread.running.set(job.id, job);
  const { kind, id, text } = job;
  thread.worker.postMessage({ kind, id, text } satisfies ToWorker);
  if (thread.watch === undefined) restartWatch();
}

function handleMessage(thread: ModelThread, message: FromWorker, events: ModelThreadEvents): void {
  if (message.kind === "failed") events.onFailed(message.reason);
  else if (message.kind !== "ready") {
    const job = thread.running.get(message.id);
    thread.running.delete(message.id);
    events.onDone(job, message);
  } else if (thread.phase === "loading") {
    thread.phase = "ready";
    events.onReady();
  }
}

/** Restarts the timer when a thread gets work and with every message that it sends while it has some. */
function watch(thread: ModelThread, ms: number, onSilent: () => void): void {
  thread.watch?.end();
  thread.watch = undefined;
  if (thread.running.size === 0) return;
  const silentMs = ms * (thread.phase === "loading" ? LOADING_FACTOR : 1);
  thread.watch = watchSilence({ silentMs, onSilent });
}

function stop(thread: ModelThread): void {
  if (!markGone(thread)) return;
  thread.running.clear();
  thread.worker.unref();
  thread.worker.postMessage({ kind: "stop" } satisfies ToWorker);
}

/** False if the thread was already gone. */
function markGone(thread: ModelThread): boolean {
  thread.watch?.end();
  if (thread.phase === "gone") return false;
  thread.phase = "gone";
  return true;
}
