// Worker threads that hold the model: started on first use, kept warm, stopped when idle.
//
//   cold ──first text──▶ loading ──a thread has it──▶ ready ──idle, or all threads lost──▶ cold
//    ▲                      └─ the model cannot be used ──▶ failed ──next text after a while──▶ loading
//
//   submit ──▶ waiting (queries first) ───────▶ a thread's job ──▶ resolved
//                 ▲    cancel drops it here        │ its worker died: back, once
//                 └────────────────────────────────┘
import type { Worker } from "node:worker_threads";
import { KnowledgeError } from "../../domain/errors.ts";
import { untilAborted } from "../../domain/until-aborted.ts";
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
  #idle: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    const { unavailable } = options;
    this.#options = { ...options, unavailable: (reason) => unavailable(withoutFolders(reason)) };
  }

  get state(): EmbedState {
    return this.#state;
  }

  submit(request: Omit<Job, "attempts">): Job {
    const job: Job = { ...request, attempts: 0 };
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

  /** Gives waiting texts to threads, queries first, and starts another thread if it is worth it. */
  #dispatch(): void {
    for (let job = this.#next(); job; job = this.#next()) {
      const thread = this.#freeThread();
      if (thread === undefined) break;
      this.#waiting[job.kind].delete(job);
      thread.send(job);
    }
    for (const { job, worker } of this.#threads) job ? worker.ref() : worker.unref();
    clearTimeout(this.#idle);
    if ([...this.#threads].some(({ job }) => job)) return;
    this.#idle = setTimeout(() => this.#stopAll(), this.#options.idleMs).unref();
  }

  #next(): Job | undefined {
    const [query] = this.#waiting.query;
    const [passage] = this.#waiting.passage;
    return query ?? passage;
  }

  /** Undefined if the text has to wait, which for a query is as long as the passages that are running. */
  #freeThread(): ModelThread | undefined {
    const threads = [...this.#threads];
    const free = threads.find(({ job }) => !job);
    const isWorthMore = this.#waiting.passage.size >= WORTH_A_THREAD;
    const mayStart =
      threads.length === 0 || (isWorthMore && threads.length < this.#options.workers);
    return free ?? (mayStart ? this.#start() : undefined);
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
    const { job } = thread;
    thread.job = undefined;
    if (job) job.attempts++;
    if (job && job.attempts < MAX_ATTEMPTS) this.#waiting[job.kind].add(job);
    else job?.reject(this.#options.unavailable("the model's thread ended"));
    if (this.#waiting.query.size + this.#waiting.passage.size > 0) this.#dispatch();
  }

  #rejectAll(reason: string): void {
    const { query, passage } = this.#waiting;
    const running = [...this.#threads].flatMap(({ job }) => job ?? []);
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
export async function runAll(
  pool: Pool,
  kind: Job["kind"],
  inputs: readonly ModelInput[],
  { signal, onDone }: RunAll,
): Promise<readonly Float32Array[]> {
  const cancelled = () => new KnowledgeError("CANCELLED", "The embedding was cancelled.");
  if (signal?.aborted) throw cancelled();
  const jobs: Job[] = [];
  let done = 0;
  const run = (input: ModelInput) =>
    new Promise<Float32Array>((resolve, reject) => {
      const onVector = (vector: Float32Array) => {
        resolve(vector);
        done += 1;
        onDone?.(done);
      };
      jobs.push(pool.submit({ kind, input, resolve: onVector, reject }));
    });
  try {
    return await untilAborted(Promise.all(inputs.map(run)), signal);
  } catch (error) {
    throw signal?.aborted ? cancelled() : error;
  } finally {
    for (const job of jobs) pool.cancel(job);
  }
}
