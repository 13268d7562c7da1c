// The port on the local model: all-MiniLM-L6-v2 in worker threads.
import { KnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";
import type { Embed } from "./embed.ts";
import { type Job, openPool, type Pool } from "./pool.ts";
import { MINI_LM, ONNX_FILE } from "./weights.ts";

export interface LocalEmbedOptions {
  readonly kind: "local";
  /** The folder with the files of weights.ts. */
  readonly modelDir: string;
  /** Where worker.ts stands, or its built form. */
  readonly workerUrl: URL;
  /** Passages use all of them, 75 MB each; queries alone need one. */
  readonly workers: number;
  /** After so long without work the model's memory is given back. */
  readonly idleMs: number;
  readonly log: Log;
}

export function openLocalEmbed(options: LocalEmbedOptions): Embed {
  const pool = openPool({ ...options, files: MINI_LM.files });
  return {
    model: MINI_LM.model,
    dimensions: MINI_LM.dimensions,
    languages: "english",
    fingerprint: `${MINI_LM.model}:${MINI_LM.files[ONNX_FILE]?.slice(0, 8)}`,
    async query(text, signal) {
      const [vector] = await runAll(pool, "query", [text], { ...(signal && { signal }) });
      return vector as Float32Array;
    },
    passages: (texts, run = {}) => runAll(pool, "passage", texts, run),
    state: () => pool.state(),
    close: () => pool.close(),
  };
}

interface Run {
  readonly signal?: AbortSignal;
  readonly onDone?: (count: number) => void;
}

function runAll(pool: Pool, kind: Job["kind"], texts: readonly string[], { signal, onDone }: Run) {
  return new Promise<readonly Float32Array[]>((resolve, reject) => {
    const vectors: Float32Array[] = new Array(texts.length);
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
    if (texts.length === 0) return settle();
    signal?.addEventListener("abort", onAbort, { once: true });
    texts.forEach((text, at) => {
      const onVector = (vector: Float32Array) => {
        vectors[at] = vector;
        done++;
        onDone?.(done);
        if (done === texts.length) settle();
      };
      jobs.push(pool.submit({ kind, text, resolve: onVector, reject: settle }));
    });
  });
}
