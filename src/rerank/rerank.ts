// The port: a question and passages → how well each passage answers it. Optional: people bring their own reranker.
import { type EndpointRerankOptions, openEndpointRerank } from "./endpoint.ts";
import { type LocalRerankOptions, openLocalRerank } from "./local.ts";

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

export type RerankOptions = EndpointRerankOptions | LocalRerankOptions;

/** Nothing is loaded or called before the first query. */
export function openRerank(options: RerankOptions): Rerank {
  return options.kind === "endpoint" ? openEndpointRerank(options) : openLocalRerank(options);
}
