// Worker threads that hold the model: started on first use, kept warm, stopped when idle.
//
//   cold ──first text──▶ loading ──a thread has it──▶ ready ──idle, or all threads lost──▶ cold
//    ▲                      └─ the model cannot be used ──▶ failed ──next text after a while──▶ loading
//
//   submit ──▶ waiting (queries, passages) ──▶ a thread's running ──▶ resolved
//                 ▲    cancel drops it here        │ its worker died: back, once
//                 └────────────────────────────────┘
import type { Worker } from "node:worker_threads";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import { settlesWithin } from "../../observe/silence.ts";
import type { EmbedState } from "../embed.ts";
import { type Job, ModelThread } from "./model-thread.ts";
import type { ModelProfile } from "./profile.ts";
import type { ModelInput } from "./worker.ts";

export interface PoolOptions {
  /** For the log. */
  readonly room: "embed" | "rerank";
  readonly modelDir: string;
  /** Absent for a cross-encoder. */
  readonly profile?: ModelProfile;
  /** What people read if the model can't be used. */
  readonly unavailable: (reason: string) => KnowledgeError;
  readonly workerUrl: URL;
  readonly workers: number;
  readonly idleMs: number;
  /** How long a busy thread may be silent; longer while it loads the model. */
  readonly silentMs?: number;
  /** How long closing waits for runs that have already started. */
  readonly closeMs?: number;
  readonly log: Log;
}

// One runs and one waits in the worker, so that a busy main thread does not leave the model without work.
const PASSAGES_PER_THREAD = 2;
// Loading the model again takes as long as this many passages, so a short note does not start a thread.
const WORTH_A_THREAD = 16;
// A passage takes a second on a slow machine, and a machine may be busy with other things for a minute.
const SILENT_MS = 120_000;
// A text that kills its worker is retried once.
const MAX_ATTEMPTS = 2;
// A run or load that has started is finished first and its memory freed, because terminating native code from outside
// can crash the process. All rooms together have 8 s.
const CLOSE_MS = 6_000;
const END_MS = 1_000;
// After this time the model is tried again, so that a repaired model is noticed without a restart.
const RETRY_FAILED_MS = 30_000;

export class Pool {
  readonly #options: PoolOptions;
  readonly #waiting = { query: new Set<Job>(), passage: new Set<Job>() };
  readonly #threads = new Set<ModelThread>();
  /**
   * Stopped but still running. The process must not exit before them, because that would unload the model while they
   * use it.
   */
  readonly #stopping = new Set<Worker>();
  #state: EmbedState = { kind: "cold" };
  #failedAt = 0;
  /** This process has verified the hashes of the model's files. */
  #isChecked = false;
  #isClosed = false;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    const { unavailable } = options;
    this.#options = { ...options, unavailable: (reason) => unavailable(withoutFolders(reason)) };
  }

  get state(): EmbedState {
    return this.#state;
  }

  submit(request: Omit<Job, "id" | "attempts">): Job {
    this.#lastId += 1;
    const job: Job = { ...request, id: this.#lastId, attempts: 0 };
    const state = this.#state;
    // A thread started after closing would outlive the pool.
    if (this.#isClosed) job.reject(this.#options.unavailable("the server is closing"));
    else if (state.kind === "failed" && performance.now() - this.#failedAt < RETRY_FAILED_MS) {
      job.reject(new KnowledgeError("MODEL_UNAVAILABLE", state.reason));
    } else {
      this.#waiting[job.kind].add(job);
      this.#dispatch();
    }
    return job;
  }

  /** The caller no longer waits. A run that has started is finished and its result dropped. */
  cancel(job: Job): void {
    this.#waiting[job.kind].delete(job);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectAll("the server is closing");
    const workers = [...this.#stopping];
    const ended = workers.map((worker) => new Promise((done) => worker.once("exit", done)));
    for (const worker of workers) worker.ref();
    if (await settlesWithin(Promise.all(ended), this.#options.closeMs ?? CLOSE_MS)) return;
    const terminated = Promise.all(workers.map((worker) => worker.terminate()));
    if (await settlesWithin(terminated, END_MS)) return;
    const message = "A thread of a model hangs and cannot be stopped.";
    throw new KnowledgeError("MODEL_UNAVAILABLE", message, { details: { isStuck: true } });
  }

  /** Gives waiting texts to threads, and starts another thread if it is worth it. */
  #dispatch(): void {
    for (const job of this.#waiting.query) this.#assign(job, this.#leastBusy() ?? this.#start());
    for (const job of this.#waiting.passage) {
      const thread = this.#threadForPassage();
      if (thread === undefined) break;
      this.#assign(job, thread);
    }
    const isBusy = ({ running }: ModelThread) => running.size > 0;
    for (const each of this.#threads) isBusy(each) ? each.worker.ref() : each.worker.unref();
    clearTimeout(this.#idle);
    if ([...this.#threads].some(isBusy)) return;
    this.#idle = setTimeout(() => this.#stopAll(), this.#options.idleMs).unref();
  }

  #assign(job: Job, thread: ModelThread): void {
    this.#waiting[job.kind].delete(job);
    thread.send(job);
  }

  /** Undefined if the passage has to wait. */
  #threadForPassage(): ModelThread | undefined {
    const thread = this.#leastBusy();
    if (!thread) return this.#start();
    if (thread.running.size < PASSAGES_PER_THREAD) return thread;
    const isWorthMore = this.#waiting.passage.size >= WORTH_A_THREAD;
    return isWorthMore && this.#threads.size < this.#options.workers ? this.#start() : undefined;
  }

  /** Behind other texts a query waits less than for a thread that is still loading the model. */
  #leastBusy(): ModelThread | undefined {
    const loadOf = ({ running, phase }: ModelThread) =>
      phase === "ready" ? running.size : running.size + WORTH_A_THREAD;
    return [...this.#threads].sort((a, b) => loadOf(a) - loadOf(b))[0];
  }

  #start(): ModelThread {
    const { modelDir, profile, silentMs = SILENT_MS, unavailable } = this.#options;
    const setup = { modelDir, profile, check: this.#isChecked ? {} : (profile?.files ?? {}) };
    this.#isChecked = true;
    const thread = new ModelThread(
      setup,
      { ...this.#options, silentMs },
      {
        onReady: () => {
          this.#state = { kind: "ready" };
        },
        onFailed: (reason) => this.#fail(unavailable(reason).message, reason),
        onDone: (job, outcome) => {
          if (outcome.kind === "vector") job?.resolve(outcome.vector);
          else job?.reject(unavailable(outcome.reason));
          this.#dispatch();
        },
        onLost: (lost) => this.#recover(lost),
      },
    );
    this.#threads.add(thread);
    if (this.#state.kind !== "ready") this.#state = { kind: "loading" };
    return thread;
  }

  #fail(advice: string, reason: string): void {
    const { log, room } = this.#options;
    log.error(`${room}.unavailable`, { reason: withoutFolders(reason) });
    this.#state = { kind: "failed", reason: advice };
    this.#failedAt = performance.now();
    this.#isChecked = false;
    this.#rejectAll(reason);
  }

  #recover(thread: ModelThread): void {
    this.#threads.delete(thread);
    if (this.#threads.size === 0 && this.#state.kind !== "failed") this.#state = { kind: "cold" };
    const jobs = [...thread.running.values()];
    // Queries run first, then passages in order. The other texts were only waiting.
    const suspect = jobs.find(({ kind }) => kind === "query") ?? jobs[0];
    if (suspect) suspect.attempts++;
    for (const job of jobs) {
      if (job.attempts < MAX_ATTEMPTS) this.#waiting[job.kind].add(job);
      else job.reject(this.#options.unavailable("the model's thread ended"));
    }
    thread.running.clear();
    if (this.#waiting.query.size + this.#waiting.passage.size > 0) this.#dispatch();
  }

  #rejectAll(reason: string): void {
    const { query, passage } = this.#waiting;
    const running = [...this.#threads].flatMap((thread) => [...thread.running.values()]);
    const lost = [...query, ...passage, ...running];
    query.clear();
    passage.clear();
    this.#stopAll();
    for (const job of lost) job.reject(this.#options.unavailable(reason));
  }

  #stopAll(): void {
    clearTimeout(this.#idle);
    for (const thread of this.#threads) {
      const { worker } = thread;
      this.#stopping.add(worker);
      worker.once("exit", () => this.#stopping.delete(worker));
      thread.stop();
    }
    this.#threads.clear();
    if (this.#state.kind !== "failed") this.#state = { kind: "cold" };
  }
}

/** Reasons reach people and models, so they name a file, never the folder it is in. */
export function withoutFolders(reason: string): string {
  return reason.replaceAll(/(?<=^|[\s'"(])(?:[A-Za-z]:)?[\\/]+(?:[^\\/'"\n]+[\\/])*/g, "");
}

interface RunAll {
  readonly signal?: AbortSignal | undefined;
  readonly onDone?: ((count: number) => void) | undefined;
}

/** The results of all inputs, in their order. */
export function runAll(
  pool: Pool,
  kind: Job["kind"],
  inputs: readonly ModelInput[],
  { signal, onDone }: RunAll,
) {
  return new Promise<readonly Float32Array[]>((resolve, reject) => {
    const vectors: Float32Array[] = new Array(inputs.length);
    const jobs: Job[] = [];
    let done = 0;
    const settle = (error?: Error) => {
      signal?.removeEventListener("abort", onAbort);
      for (const job of jobs) pool.cancel(job);
      if (error) reject(error);
      else resolve(vectors);
    };
    const onAbort = () => settle(new KnowledgeError("CANCELLED", "The embedding was cancelled."));
    if (signal?.aborted) return onAbort();
    if (inputs.length === 0) return settle();
    signal?.addEventListener("abort", onAbort, { once: true });
    inputs.forEach((input, at) => {
      const onVector = (vector: Float32Array) => {
        vectors[at] = vector;
        done++;
        onDone?.(done);
        if (done === inputs.length) settle();
      };
      jobs.push(pool.submit({ kind, input, resolve: onVector, reject: settle }));
    });
  });
}
