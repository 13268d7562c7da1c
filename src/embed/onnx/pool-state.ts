// The pool's state, and how work ends: the model failed, the threads are idle, or the server closes.
import type { Worker } from "node:worker_threads";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import type { EmbedState } from "../embed.ts";
import type { Job, ModelThread } from "./model-thread.ts";
import type { ModelProfile } from "./profile.ts";

export interface PoolOptions {
  readonly modelDir: string;
  readonly profile: ModelProfile;
  readonly workerUrl: URL;
  readonly workers: number;
  readonly idleMs: number;
  /** How long a busy thread may be silent; longer while it loads the model. */
  readonly silentMs?: number;
  /** How long closing waits for runs that have already started. */
  readonly closeMs?: number;
  readonly log: Log;
}

export interface PoolState {
  readonly waiting: Readonly<Record<Job["kind"], Set<Job>>>;
  readonly threads: Set<ModelThread>;
  /**
   * Stopped but still running. The process must not exit before them, because that would unload the model while they
   * use it.
   */
  readonly stopping: Set<Worker>;
  model: EmbedState;
  failedAt: number;
  /** This process has verified the hashes of the model's files. */
  isChecked: boolean;
  isClosed: boolean;
  lastId: number;
  idle?: NodeJS.Timeout;
}

export interface PoolCore extends PoolOptions {
  readonly state: PoolState;
}

const REMEDY =
  "Install the package again, or run `node scripts/model.ts` in a clone; `knowledge-server doctor` checks it.";

/** Reasons reach people and models, so they name a file, never the folder it is in. */
const FOLDERS = /(?<=^|[\s'"(])(?:[A-Za-z]:)?[\\/]+(?:[^\\/'"\n]+[\\/])*/g;

export function fail(pool: PoolCore, cause: string): void {
  const { state, log } = pool;
  const reason = cause.replaceAll(FOLDERS, "");
  log.error("embed.unavailable", { reason });
  const advice = `The embedding model can't be used (${reason}). ${REMEDY}`;
  state.model = { kind: "failed", reason: advice };
  state.failedAt = performance.now();
  state.isChecked = false;
  rejectAll(pool, reason);
}

export function rejectAll(pool: PoolCore, reason: string): void {
  const { waiting, threads } = pool.state;
  const lost = [...waiting.query, ...waiting.passage];
  for (const thread of threads) lost.push(...thread.running.values());
  waiting.query.clear();
  waiting.passage.clear();
  stopAll(pool);
  for (const job of lost) job.reject(unavailable(reason));
}

export function stopWhenIdle(pool: PoolCore): void {
  const { state, idleMs } = pool;
  clearTimeout(state.idle);
  if ([...state.threads].some(({ running }) => running.size > 0)) return;
  state.idle = setTimeout(stopAll, idleMs, pool).unref();
}

function stopAll({ state }: PoolCore): void {
  clearTimeout(state.idle);
  for (const thread of state.threads) {
    state.stopping.add(thread.worker);
    thread.worker.once("exit", () => state.stopping.delete(thread.worker));
    thread.stop();
  }
  state.threads.clear();
  if (state.model.kind !== "failed") state.model = { kind: "cold" };
}

export function unavailable(cause: string): KnowledgeError {
  const reason = cause.replaceAll(FOLDERS, "");
  const message = `The embedding model can't be used (${reason}). ${REMEDY}`;
  return new KnowledgeError("MODEL_UNAVAILABLE", message);
}
