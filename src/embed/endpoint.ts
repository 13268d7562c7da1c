// The port on an OpenAI-compatible /v1/embeddings endpoint (Ollama, vLLM, hosted services).
import { KnowledgeError } from "../domain/errors.ts";
import { askEndpoint, type Endpoint, type EndpointError } from "../endpoint/endpoint.ts";
import type { Log } from "../observe/log.ts";
import type { Embed, EmbedState } from "./embed.ts";
import { toUnit } from "./unit-vectors.ts";
import { openUnrelatedCosine } from "./unrelated-cosine.ts";

/** `url` is the address without `/embeddings`: `http://127.0.0.1:11434/v1`. */
export interface EndpointEmbedOptions extends Endpoint {
  readonly kind: "endpoint";
  readonly model: string;
  /** Requested from the endpoint; if absent, the model's own number is taken from the first response. */
  readonly dimensions?: number;
  readonly timeoutMs?: number;
  readonly log: Log;
}

const BATCH = 64;
const TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 4;
// A batch of the widest vectors in use has a tenth of this.
const MAX_BYTES = 64 * 1024 * 1024;

export function openEndpointEmbed(options: EndpointEmbedOptions): Embed {
  const { model, log } = options;
  let dimensions = options.dimensions ?? 0;
  const closing = new AbortController();
  let state: EmbedState = { kind: "cold" };

  const embed: EmbedTexts = async (texts, signal, traceHeaders) => {
    const stop = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
    try {
      const vectors = await ask({ ...options, traceHeaders }, texts, stop);
      dimensions = vectors[0]?.length ?? dimensions;
      state = { kind: "ready" };
      return vectors;
    } catch (cause) {
      if (stop.aborted) throw new KnowledgeError("CANCELLED", "The embedding was cancelled.");
      const error = unavailable(cause as EndpointError);
      state = { kind: "failed", reason: error.message };
      log.warn("embed.endpoint-failed", { model, cause });
      throw error;
    }
  };

  const passages = inBatches(embed);

  return {
    model,
    get dimensions() {
      return dimensions;
    },
    languages: "any",
    fingerprint: `${model}@${options.dimensions ?? "own"}`,
    async query(text, signal) {
      const [vector] = await embed([text], signal, options.traceHeaders);
      return vector as Float32Array;
    },
    passages,
    unrelatedCosine: openUnrelatedCosine(passages),
    state: () => state,
    async close() {
      closing.abort();
    },
  };
}

/** Only a question has the headers of its call; added documents are embedded long after theirs. */
type EmbedTexts = (
  texts: readonly string[],
  signal?: AbortSignal,
  traceHeaders?: Endpoint["traceHeaders"],
) => Promise<readonly Float32Array[]>;

function inBatches(embed: EmbedTexts): Embed["passages"] {
  return async (texts, { signal, onDone } = {}) => {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += BATCH) {
      vectors.push(...(await embed(texts.slice(from, from + BATCH), signal)));
      onDone?.(vectors.length);
    }
    return vectors;
  };
}

async function ask(
  { url, key, traceHeaders, model, dimensions, timeoutMs = TIMEOUT_MS }: EndpointEmbedOptions,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const address = `${url.replace(/\/+$/, "")}/embeddings`;
  const body = { model, input: texts, encoding_format: "float", dimensions };
  const how = { body, timeoutMs, signal, maxBytes: MAX_BYTES, maxAttempts: MAX_ATTEMPTS };
  return toVectors(await askEndpoint({ url: address, key, traceHeaders }, how), texts.length);
}

/** Restores the requested order and scales to length one, whatever the endpoint sends. */
function toVectors(body: unknown, count: number): readonly Float32Array[] {
  const data = (body as { data?: unknown } | null)?.data;
  const vectors: Float32Array[] = new Array(count);
  for (const [at, item] of (Array.isArray(data) ? data : []).entries()) {
    const { embedding, index = at } = item as { embedding?: number[]; index?: number };
    if (Array.isArray(embedding) && embedding.every(Number.isFinite)) {
      vectors[index] = toUnit(Float32Array.from(embedding));
    }
  }
  const width = vectors[0]?.length ?? 0;
  const whole = vectors.length === count && width > 0;
  for (let at = 0; at < count; at++) {
    if (!whole || vectors[at]?.length !== width) throw new Error("an invalid reply");
  }
  return vectors;
}

function unavailable(cause: Error): KnowledgeError {
  const message = `The embedding endpoint can't be used (${cause.message}); check its address, model and key.`;
  return new KnowledgeError("MODEL_UNAVAILABLE", message, { cause });
}
