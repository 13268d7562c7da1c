// The port on a local model in worker threads: the shipped all-MiniLM-L6-v2, or the one in the user's folder.
import { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import type { Embed } from "../embed.ts";
import { openLightPort } from "../light/port.ts";
import { openUnrelatedCosine } from "../unrelated-cosine.ts";
import type { Job } from "./model-thread.ts";
import { Pool } from "./pool.ts";
import { type ModelProfile, SHIPPED } from "./profile.ts";

export interface LocalEmbedOptions {
  readonly kind: "local";
  readonly modelDir: string;
  /** The profile of the model in that folder (`describeModel`); absent for the shipped model. */
  readonly profile?: ModelProfile;
  readonly lightDir?: string;
  /** The URL of worker.ts or its built form. */
  readonly workerUrl: URL;
  /** The maximum number of threads, of 75 MB each: passages use all of them, queries alone need one. */
  readonly workers: number;
  /** After this time without work the model's memory is freed. */
  readonly idleMs: number;
  readonly log: Log;
}

export function openLocalEmbed(options: LocalEmbedOptions): Embed {
  const { profile = SHIPPED, lightDir } = options;
  const pool = new Pool({ ...options, profile });
  const run = (kind: Job["kind"], texts: readonly string[], how: Run) => {
    const prefix = profile.prefixes[kind];
    return runAll(pool, kind, prefix === "" ? texts : texts.map((text) => prefix + text), how);
  };
  const passages: Embed["passages"] = (texts, how = {}) => run("passage", texts, how);
  return {
    model: profile.model,
    dimensions: profile.dimensions,
    languages: profile.languages,
    fingerprint: profile.fingerprint,
    // The light encoder was trained to produce the shipped model's vectors.
    ...(profile === SHIPPED && lightDir !== undefined && { light: openLightPort(lightDir) }),
    async query(text, signal) {
      const [vector] = await run("query", [text], { ...(signal && { signal }) });
      return vector as Float32Array;
    },
    passages,
    // The relevance scale was chosen with the shipped model.
    unrelatedCosine: profile === SHIPPED ? async () => 0 : openUnrelatedCosine(passages),
    state: () => pool.state,
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
