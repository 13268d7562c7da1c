// The port: a question and passages → how well each passage answers it. Optional: people bring their own reranker.
import { KnowledgeError } from "../domain/errors.ts";
import type { EndpointRerankOptions } from "./endpoint.ts";
import type { LocalRerankOptions } from "./local.ts";

export interface Rerank {
  /** After this time the order stays unchanged. */
  readonly timeoutMs: number;
  /**
   * In the order given; higher is better, on the reranker's own scale. Fails with MODEL_UNAVAILABLE if it can't be
   * used.
   */
  scores(
    query: string,
    passages: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** The part of the configuration that reranking needs. */
export interface RerankConfig {
  readonly rerankUrl?: string | undefined;
  readonly rerankModel?: string | undefined;
  readonly rerankKey?: string | undefined;
  readonly rerankDir?: string | undefined;
  readonly rerankTimeoutMs: number;
}

export type RerankParts = Pick<EndpointRerankOptions, "traceHeaders"> &
  Pick<LocalRerankOptions, "workerUrl" | "log">;

const IDLE_MS = 5 * 60_000;

/** The endpoint or folder that is configured, else the chosen one; undefined if there is none. No model is loaded and nothing is called before the first query. */
export async function openRerank(
  config: RerankConfig,
  { traceHeaders, workerUrl, log }: RerankParts,
  chosenDir?: string,
): Promise<Rerank | undefined> {
  const { rerankUrl: url, rerankModel: model, rerankKey: key } = config;
  const modelDir = config.rerankDir ?? (url === undefined ? chosenDir : undefined);
  const { rerankTimeoutMs: timeoutMs } = config;
  if (url !== undefined && modelDir !== undefined) {
    throw new KnowledgeError(
      "CONFIG_INVALID",
      "Set KNOWLEDGE_RERANK_URL or KNOWLEDGE_RERANK_DIR, not both.",
    );
  }
  if (url !== undefined) {
    const { openEndpointRerank } = await import("./endpoint.ts");
    return openEndpointRerank({ url, model, key, timeoutMs, traceHeaders });
  }
  if (modelDir === undefined) return undefined;
  const { openLocalRerank } = await import("./local.ts");
  return openLocalRerank({ modelDir, workerUrl, timeoutMs, idleMs: IDLE_MS, log });
}
