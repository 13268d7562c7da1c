// Puts the best candidates in a reranker's order. It has a deadline: a slow or broken reranker changes nothing.
import { KnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";
import type { Rerank } from "../rerank/rerank.ts";
import type { Candidate } from "./candidate.ts";

const MAX_RERANKED = 50;

export interface RerankParts {
  readonly rerank: Rerank;
  readonly log: Log;
}

/** The n-th passage in the new order gets the n-th best score, so scores do not depend on the reranker's scale. */
export async function rerankBest(
  { rerank, log }: RerankParts,
  query: string,
  ranked: readonly Candidate[],
  signal?: AbortSignal,
): Promise<readonly Candidate[]> {
  const best = ranked.slice(0, MAX_RERANKED);
  if (best.length < 2) return ranked;
  const deadline = AbortSignal.timeout(rerank.timeoutMs);
  const stop = AbortSignal.any([deadline, ...(signal ? [signal] : [])]);
  try {
    const scores = await rerank.scores(query, best.map(toText), stop);
    const order = best.map((candidate, at) => ({ candidate, score: scores[at] ?? 0 }));
    order.sort((a, b) => b.score - a.score);
    const reordered = order.map(({ candidate }, at) => ({
      ...candidate,
      score: best[at]?.score ?? 0,
    }));
    return [...reordered, ...ranked.slice(MAX_RERANKED)];
  } catch (error) {
    if (signal?.aborted) throw new KnowledgeError("CANCELLED", "The search was cancelled.");
    if (!(error instanceof KnowledgeError) || error.code !== "MODEL_UNAVAILABLE") throw error;
    log.warn("search.not-reranked", { reason: error.message });
    return ranked;
  }
}

function toText({ chunk }: Candidate): string {
  const { document, headings, tableHeader = "", text } = chunk;
  const head = [...new Set([document.title ?? "", ...headings])].filter((part) => part !== "");
  return [head.join(" › "), tableHeader, text].filter((part) => part !== "").join("\n");
}
