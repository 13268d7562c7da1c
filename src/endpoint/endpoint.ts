// Asks a service that the user configured (embeddings, a reranker, a language model): JSON over HTTP there and back,
// bounded, without redirects, and with one rule for what is tried again.
import { setTimeout as sleep } from "node:timers/promises";

export interface Endpoint {
  readonly url: string;
  readonly key?: string | undefined;
  /** The headers of the call that asks, which connect the request to its trace. */
  readonly traceHeaders?: (() => Readonly<Record<string, string>>) | undefined;
}

export interface EndpointRequest {
  /** Absent for a GET. */
  readonly body?: object;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Of one attempt. */
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
}

/** Its message has only our own words: an endpoint's text could repeat the key or the documents. */
export class EndpointError extends Error {
  readonly status: number | undefined;
  /** Another attempt may succeed, after this time if the endpoint named one. */
  readonly retry: { readonly afterMs?: number } | undefined;

  constructor(
    message: string,
    { status, retry }: Partial<Pick<EndpointError, "status" | "retry">>,
  ) {
    super(message);
    this.status = status;
    this.retry = retry;
  }
}

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;
const RETRIED_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/** The parsed reply. Fails with an `EndpointError`, also if the signal stops it. */
export async function askEndpoint(endpoint: Endpoint, request: EndpointRequest): Promise<unknown> {
  const { maxAttempts = 1, signal } = request;
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(endpoint, request);
    } catch (thrown) {
      const error = toEndpointError(thrown as Error);
      if (!error.retry || attempt === maxAttempts || signal.aborted) throw error;
      const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
      const waitMs = error.retry.afterMs ?? backoff * (0.5 + Math.random());
      // If it is stopped meanwhile, the next attempt says so.
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function askOnce(
  { url, key, traceHeaders }: Endpoint,
  { body, maxBytes, signal, timeoutMs }: EndpointRequest,
): Promise<unknown> {
  const deadline = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)];
  const reply = await fetch(url, {
    // A redirect would send the key and the texts somewhere else.
    redirect: "error",
    headers: {
      ...traceHeaders?.(),
      ...(body && { "content-type": "application/json" }),
      ...(key && { authorization: `Bearer ${key}` }),
    },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    signal: AbortSignal.any([signal, ...deadline]),
  });
  if (!reply.ok) {
    await reply.body?.cancel();
    const retry = RETRIED_STATUS.has(reply.status) ? retryAfter(reply) : undefined;
    throw new EndpointError(`HTTP ${reply.status}`, { status: reply.status, retry });
  }
  return JSON.parse(await readBounded(reply, maxBytes));
}

async function readBounded(reply: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of reply.body ?? []) {
    size += part.byteLength;
    if (size > maxBytes) throw new EndpointError("the reply is too long", {});
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function retryAfter(reply: Response): EndpointError["retry"] {
  const seconds = Number(reply.headers.get("retry-after") ?? Number.NaN);
  return seconds >= 0 ? { afterMs: Math.min(seconds * 1_000, MAX_BACKOFF_MS) } : {};
}

function toEndpointError(error: Error): EndpointError {
  if (error instanceof EndpointError) return error;
  if (error instanceof SyntaxError)
    return new EndpointError("the reply is not JSON", { retry: {} });
  const isLate = error.name === "TimeoutError" || error.name === "AbortError";
  return new EndpointError(isLate ? "no reply in time" : "no connection", { retry: {} });
}
