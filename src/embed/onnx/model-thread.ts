// One worker thread that holds the model, with the text that was given to it.
//
//   loading ──▶ ready ──stop──▶ gone: it finishes the run that has begun, then ends by itself
//      │          └─ died, silent, unreadable ──▶ gone: its text is handed back
//      └─ cannot load the model ──▶ reported as failed, and stopped by its starter
import { Worker } from "node:worker_threads";
import type { Log } from "../../observe/log.ts";
import { type SilenceWatch, watchSilence } from "../../observe/silence.ts";
import type { FromWorker, ModelInput, ToWorker, WorkerSetup } from "./worker.ts";

export interface Job {
  readonly kind: "query" | "passage";
  readonly input: ModelInput;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: Error) => void;
  attempts: number;
}

interface ModelThreadOptions {
  readonly room: string;
  readonly workerUrl: URL;
  /** How long a thread with work may be silent; longer while it loads the model. */
  readonly silentMs: number;
  readonly log: Log;
}

type Outcome = Exclude<FromWorker, { kind: "ready" | "failed" }>;

interface ModelThreadEvents {
  onReady(): void;
  /** The model cannot be used, in this thread or in any other. */
  onFailed(reason: string): void;
  /** The model has turned a text into a vector or refused it with a reason. */
  onDone(job: Job | undefined, outcome: Outcome): void;
  onLost(thread: ModelThread): void;
}

// The model has hundreds of megabytes, which may come from a cold disk and are hashed before use.
const LOADING_FACTOR = 3;

export class ModelThread {
  readonly worker: Worker;
  job: Job | undefined;
  phase: "loading" | "ready" | "gone" = "loading";
  readonly #options: ModelThreadOptions;
  readonly #events: ModelThreadEvents;
  #watch: SilenceWatch | undefined;

  constructor(setup: WorkerSetup, options: ModelThreadOptions, events: ModelThreadEvents) {
    this.#options = options;
    this.#events = events;
    this.worker = new Worker(options.workerUrl, { workerData: setup });
    this.worker.on("message", (message: FromWorker) => {
      this.#handle(message);
      this.#restartWatch();
    });
    this.worker.on("error", (error) => {
      options.log.error(`${options.room}.worker-failed`, { error });
      if (this.phase === "loading") events.onFailed(error.message);
    });
    this.worker.on("messageerror", () => this.#drop("its reply cannot be read"));
    this.worker.on("exit", () => this.#reportLost());
  }

  send(job: Job): void {
    this.job = job;
    this.worker.postMessage({ kind: "run", ...job.input } satisfies ToWorker);
    if (this.#watch === undefined) this.#restartWatch();
  }

  stop(): void {
    if (!this.#markGone()) return;
    this.job = undefined;
    this.worker.unref();
    this.worker.postMessage({ kind: "stop" } satisfies ToWorker);
  }

  #handle(message: FromWorker): void {
    if (message.kind === "failed") this.#events.onFailed(message.reason);
    else if (message.kind !== "ready") {
      const { job } = this;
      this.job = undefined;
      this.#events.onDone(job, message);
    } else if (this.phase === "loading") {
      this.phase = "ready";
      this.#events.onReady();
    }
  }

  /** When the thread gets work, and with every message that it sends while it has some. */
  #restartWatch(): void {
    this.#watch?.end();
    this.#watch = undefined;
    if (this.job === undefined) return;
    const silentMs = this.#options.silentMs * (this.phase === "loading" ? LOADING_FACTOR : 1);
    this.#watch = watchSilence({ silentMs, onSilent: () => this.#drop("it does not respond") });
  }

  #drop(reason: string): void {
    const { log, room } = this.#options;
    log.error(`${room}.worker-dropped`, { reason });
    this.worker.unref();
    void this.worker.terminate();
    this.#reportLost();
  }

  #reportLost(): void {
    if (this.#markGone()) this.#events.onLost(this);
  }

  /** False if the thread was already gone. */
  #markGone(): boolean {
    this.#watch?.end();
    if (this.phase === "gone") return false;
    this.phase = "gone";
    return true;
  }
}
