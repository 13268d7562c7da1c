// The port on a local model in worker threads: the shipped all-MiniLM-L6-v2, or the one in the user's folder.
import { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import type { Embed } from "../embed.ts";
import { openLightPort } from "../light/port.ts";
import { openUnrelatedCosine } from "../unrelated-cosine.ts";
import type { Job } from "./model-thread.ts";
import { Pool, runAll } from "./pool.ts";
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
  const pool = new Pool({ ...options, room: "embed", profile, unavailable });
  const run = (kind: Job["kind"], texts: readonly string[], how: Parameters<typeof runAll>[3]) => {
    const inputs = texts.map((text) => ({ text: profile.prefixes[kind] + text }));
    return runAll(pool, kind, inputs, how);
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
      const [vector] = await run("query", [text], { signal });
      return vector as Float32Array;
    },
    passages,
    // The relevance scale was chosen with the shipped model.
    unrelatedCosine: profile === SHIPPED ? async () => 0 : openUnrelatedCosine(passages),
    state: () => pool.state,
    close: () => pool.close(),
  };
}

function unavailable(cause: string): KnowledgeError {
  const remedy =
    "Install the package again, or run `node scripts/model.ts` in a clone; `knowledge-server doctor` checks it.";
  const message = `The embedding model can't be used (${cause}). ${remedy}`;
  return new KnowledgeError("MODEL_UNAVAILABLE", message);
}
