// The port on an OpenAI-compatible /v1/embeddings endpoint (Ollama, vLLM, hosted services).
import { setTimeout as sleep } from "node:timers/promises";
import { KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";
import type { Embed, EmbedState } from "./embed.ts";
import { toUnit } from "./unit.ts";
import { openUnrelatedCosine } from "./unrelated-cosine.ts";

export interface EndpointEmbedOptions {
  readonly kind: "endpoint";
  /** The address without `/embeddings`: `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key?: string | undefined;
  /** Requested from the endpoint; if absent, the model's own number is taken from the first response. */
  readonly dimensions?: number;
  readonly timeoutMs?: number;
  /** The headers of the call that asks a question; added documents are embedded long after their call. */
  readonly traceHeaders?: (() => Readonly<Record<string, string>>) | undefined;
  readonly log: Log;
}

/** A failure that a retry may fix. */
class RetryableError extends Error {
  readonly waitMs: number | undefined;

  constructor(message: string, waitMs?: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

const BATCH = 64;
const TIMEOUT_MS = 60_000;
const ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;
const RETRIED_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

export function openEndpointEmbed(options: EndpointEmbedOptions): Embed {
  const { model, log } = options;
  let dimensions = options.dimensions ?? 0;
  const closing = new AbortController();
  let state: EmbedState = { kind: "cold" };

  const embed: EmbedTexts = async (texts, signal, headers) => {
    try {
      const stop = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
      const vectors = await askWithRetries({ ...options, headers }, texts, stop);
      dimensions = vectors[0]?.length ?? dimensions;
      state = { kind: "ready" };
      return vectors;
    } catch (thrown) {
      const error = toKnowledgeError(thrown);
      if (error.code === "CANCELLED") throw error;
      state = { kind: "failed", reason: error.message };
      log.warn("embed.endpoint-failed", { model, cause: error.cause });
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
      const [vector] = await embed([text], signal, options.traceHeaders?.());
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

type EmbedTexts = (
  texts: readonly string[],
  signal?: AbortSignal,
  headers?: Readonly<Record<string, string>>,
) => Promise<readonly Float32Array[]>;

type AskOptions = EndpointEmbedOptions & {
  readonly headers: Readonly<Record<string, string>> | undefined;
};

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

async function askWithRetries(options: AskOptions, texts: readonly string[], stop: AbortSignal) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask(options, texts, stop);
    } catch (error) {
      if (stop.aborted) throw new KnowledgeError("CANCELLED", "The embedding was cancelled.");
      if (!(error instanceof RetryableError)) throw error;
      if (attempt === ATTEMPTS) throw unavailable(error);
      const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
      const waitMs = error.waitMs ?? backoff * (0.5 + Math.random());
      // If it is cancelled meanwhile, the next attempt says so.
      await sleep(waitMs, undefined, { signal: stop }).catch(() => undefined);
    }
  }
}

async function ask(
  { url, model, key, dimensions, headers, timeoutMs = TIMEOUT_MS }: AskOptions,
  texts: readonly string[],
  stop: AbortSignal,
): Promise<readonly Float32Array[]> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
  const reply = await fetch(`${url.replace(/\/+$/, "")}/embeddings`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...headers,
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, input: texts, encoding_format: "float", dimensions }),
    signal,
  }).catch((error: Error) => {
    throw new RetryableError(error.name === "TimeoutError" ? "no reply in time" : "no connection");
  });
  if (!reply.ok) {
    await reply.body?.cancel();
    if (!RETRIED_STATUS.has(reply.status)) throw unavailable(new Error(`status ${reply.status}`));
    throw new RetryableError(`status ${reply.status}`, retryAfterMs(reply));
  }
  const body: unknown = await reply.json().catch(() => {
    throw new RetryableError("the reply is not JSON");
  });
  return toVectors(body, texts.length);
}

function retryAfterMs(reply: Response): number | undefined {
  const seconds = Number(reply.headers.get("retry-after") ?? Number.NaN);
  return seconds >= 0 ? Math.min(seconds * 1_000, MAX_BACKOFF_MS) : undefined;
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
    if (!whole || vectors[at]?.length !== width) throw unavailable(new Error("an invalid reply"));
  }
  return vectors;
}

// The cause has only our own words: an endpoint's text could repeat the key or the documents.
function unavailable(cause: Error): KnowledgeError {
  const message = `The embedding endpoint can't be used (${cause.message}); check its address, model and key.`;
  return new KnowledgeError("MODEL_UNAVAILABLE", message, { cause });
}
