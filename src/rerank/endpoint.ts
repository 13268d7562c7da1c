// The port on a /rerank endpoint. Two dialects: Cohere's (Jina, vLLM, llama.cpp speak it too) and that of TEI.
//
//   {model, query, documents} → {results: [{index, relevance_score}]}        {query, texts} → [{index, score}]
import { KnowledgeError } from "../domain/errors.ts";
import { askEndpoint, type Endpoint, type EndpointError } from "../endpoint/endpoint.ts";
import type { Rerank } from "./rerank.ts";

/** `url` is the address with or without the final `/rerank`. */
export interface EndpointRerankOptions extends Endpoint {
  readonly model?: string | undefined;
  readonly timeoutMs: number;
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
      const ask = () => {
        const body = toBody(options.model, state.dialect, { query, passages });
        return askEndpoint({ ...options, url }, { body, signal, maxBytes: MAX_BYTES });
      };
      try {
        const reply = await ask().catch((error: EndpointError) => {
          if (!OTHER_DIALECT.has(error.status ?? 0)) throw error;
          state.dialect = state.dialect === "documents" ? "texts" : "documents";
          return ask();
        });
        return toScores(reply, passages.length);
      } catch (error) {
        throw unavailable((error as EndpointError).message);
      }
    },
    close: async () => {},
  };
}

interface RerankRequest {
  readonly query: string;
  readonly passages: readonly string[];
}

function toBody(
  model: string | undefined,
  dialect: Dialect,
  { query, passages }: RerankRequest,
): object {
  if (dialect === "texts") return { query, texts: passages, truncate: true };
  const named = model === undefined ? {} : { model };
  return { ...named, query, documents: passages, top_n: passages.length, return_documents: false };
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
  if (scores.size !== count) throw new Error("an invalid reply");
  return Array.from({ length: count }, (_, at) => scores.get(at) as number);
}

interface Scored {
  readonly index?: unknown;
  readonly score?: unknown;
  readonly relevance_score?: unknown;
}

function unavailable(reason: string): KnowledgeError {
  const message = `The rerank endpoint can't be used (${reason}); check KNOWLEDGE_RERANK_URL, its model and key.`;
  return new KnowledgeError("MODEL_UNAVAILABLE", message);
}
