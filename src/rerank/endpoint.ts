// The port on a /rerank endpoint. Two dialects: Cohere's (Jina, vLLM, llama.cpp speak it too) and that of TEI.
//
//   {model, query, documents} → {results: [{index, relevance_score}]}        {query, texts} → [{index, score}]
import { KnowledgeError } from "../domain/errors.ts";
import type { Rerank } from "./rerank.ts";

export interface EndpointRerankOptions {
  /** With or without the final `/rerank`. */
  readonly url: string;
  readonly model?: string | undefined;
  readonly key?: string | undefined;
  readonly timeoutMs: number;
  /** The headers of the call that asks the question. */
  readonly traceHeaders?: (() => Readonly<Record<string, string>>) | undefined;
}

type Dialect = "documents" | "texts";

// 50 scores take a few kilobytes; an endpoint that repeats every text still stays below this.
const MAX_BYTES = 4 * 1024 * 1024;
// The statuses with which an endpoint refuses a body whose fields it does not know.
const OTHER_DIALECT = new Set([400, 422]);

export function openEndpointRerank(options: EndpointRerankOptions): Rerank {
  const trimmed = options.url.replace(/\/+$/, "");
  const url = trimmed.endsWith("rerank") ? trimmed : `${trimmed}/rerank`;
  const state: { dialect: Dialect } = { dialect: "documents" };
  return {
    timeoutMs: options.timeoutMs,
    async scores(query, passages, signal) {
      const ask = (dialect: Dialect) =>
        post({ ...options, url }, toBody(options.model, dialect, { query, passages }), signal);
      let reply = await ask(state.dialect);
      if (OTHER_DIALECT.has(reply.status)) {
        await reply.body?.cancel();
        state.dialect = state.dialect === "documents" ? "texts" : "documents";
        reply = await ask(state.dialect);
      }
      if (!reply.ok) {
        await reply.body?.cancel();
        throw unavailable(`status ${reply.status}`);
      }
      return toScores(await readJson(reply), passages.length);
    },
    close: async () => {},
  };
}

interface Asked {
  readonly query: string;
  readonly passages: readonly string[];
}

function toBody(model: string | undefined, dialect: Dialect, { query, passages }: Asked): object {
  if (dialect === "texts") return { query, texts: passages, truncate: true };
  const named = model === undefined ? {} : { model };
  return { ...named, query, documents: passages, top_n: passages.length, return_documents: false };
}

async function post(
  { url, key, traceHeaders }: Pick<EndpointRerankOptions, "url" | "key" | "traceHeaders">,
  body: object,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...traceHeaders?.(),
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    // Passages are sent only to the address that the operator configured.
    redirect: "error",
    signal,
  }).catch((error: Error) => {
    throw unavailable(isTimeout(error) ? "no reply in time" : "no connection");
  });
}

async function readJson(reply: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of reply.body ?? []) {
      bytes += part.length;
      if (bytes > MAX_BYTES) throw new Error("the reply is too long");
      parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw unavailable("the reply is not JSON");
    throw unavailable(isTimeout(error as Error) ? "no reply in time" : "the reply was cut off");
  }
}

/** Every passage needs one finite score, in any order. */
function toScores(body: unknown, count: number): readonly number[] {
  const list = Array.isArray(body) ? body : (body as { results?: unknown } | null)?.results;
  const scores = new Map<number, number>();
  for (const item of Array.isArray(list) ? list : []) {
    const { index, relevance_score, score = relevance_score } = (item ?? {}) as Scored;
    const isPlace = Number.isInteger(index) && (index as number) >= 0 && (index as number) < count;
    if (isPlace && Number.isFinite(score)) scores.set(index as number, score as number);
  }
  if (scores.size !== count) throw unavailable("an invalid reply");
  return Array.from({ length: count }, (_, at) => scores.get(at) as number);
}

interface Scored {
  readonly index?: unknown;
  readonly score?: unknown;
  readonly relevance_score?: unknown;
}

function isTimeout({ name }: Error): boolean {
  return name === "TimeoutError" || name === "AbortError";
}

// The cause has only our own words: an endpoint's text could repeat the key or the documents.
function unavailable(reason: string): KnowledgeError {
  const message = `The rerank endpoint can't be used (${reason}); check KNOWLEDGE_RERANK_URL, its model and key.`;
  return new KnowledgeError("MODEL_UNAVAILABLE", message);
}
