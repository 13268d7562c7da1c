// The port on a cross-encoder in a worker thread: started on first use, stopped when idle.
import { Worker } from "node:worker_threads";
import { KnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";
import type { Rerank } from "./rerank.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

export interface LocalRerankOptions {
  readonly modelDir: string;
  /** The URL of worker.ts or its built form. */
  readonly workerUrl: URL;
  readonly timeoutMs: number;
  /** After this time without work the model's memory is freed. */
  readonly idleMs: number;
  readonly log: Log;
}

interface Waiting {
  readonly resolve: (scores: readonly number[]) => void;
  readonly reject: (error: Error) => void;
}

interface State {
  worker: Worker | undefined;
  idle: NodeJS.Timeout | undefined;
  nextId: number;
  readonly waiting: Map<number, Waiting>;
}

export function openLocalRerank(options: LocalRerankOptions): Rerank {
  const state: State = { worker: undefined, idle: undefined, nextId: 0, waiting: new Map() };
  return {
    timeoutMs: options.timeoutMs,
    scores(query, passages, signal) {
      return new Promise((resolve, reject) => {
        const worker = ensureWorker(state, options);
        const id = state.nextId++;
        const onAbort = () => settle(() => reject(unavailable("no scores in time")));
        const settle = (end: () => void) => {
          signal.removeEventListener("abort", onAbort);
          if (!state.waiting.delete(id)) return;
          send(worker, { kind: "cancel", id });
          stopWhenIdle(state, options);
          end();
        };
        state.waiting.set(id, {
          resolve: (scores) => settle(() => resolve(scores)),
          reject: (error) => settle(() => reject(error)),
        });
        signal.addEventListener("abort", onAbort, { once: true });
        if (signal.aborted) return onAbort();
        send(worker, { kind: "score", id, query, passages });
      });
    },
    async close() {
      await stop(state, "closing");
    },
  };
}

function send(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}

function ensureWorker(state: State, { modelDir, workerUrl, log }: LocalRerankOptions): Worker {
  clearTimeout(state.idle);
  if (state.worker) return state.worker;
  const worker = new Worker(workerUrl, { workerData: { modelDir } });
  state.worker = worker;
  worker.unref();
  const fail = (reason: string) => {
    if (state.worker !== worker) return;
    log.warn("rerank.unavailable", { reason });
    void stop(state, reason);
  };
  worker.on("message", (message: FromWorker) => {
    if (message.kind === "failed") return fail(message.reason);
    const waiting = state.waiting.get(message.id);
    if (message.kind === "scores") waiting?.resolve(message.scores);
    else waiting?.reject(unavailable(message.reason));
  });
  worker.on("error", (error) => fail(error.message));
  worker.on("exit", () => fail("its thread ended"));
  return worker;
}

function stopWhenIdle(state: State, { idleMs }: LocalRerankOptions): void {
  if (state.waiting.size > 0) return;
  clearTimeout(state.idle);
  state.idle = setTimeout(() => void stop(state, "idle"), idleMs).unref();
}

async function stop(state: State, reason: string): Promise<void> {
  const { worker } = state;
  state.worker = undefined;
  clearTimeout(state.idle);
  for (const { reject } of [...state.waiting.values()]) reject(unavailable(reason));
  await worker?.terminate();
}

function unavailable(reason: string): KnowledgeError {
  const message = `The reranker in KNOWLEDGE_RERANK_DIR can't be used (${reason}).`;
  return new KnowledgeError("MODEL_UNAVAILABLE", message);
}
