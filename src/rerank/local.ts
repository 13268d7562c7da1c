// The port on a cross-encoder in a folder, in a thread like the embedding model's.
import { KnowledgeError } from "../domain/errors.ts";
import { Pool, type PoolOptions, runAll } from "../embed/onnx/pool.ts";
import type { Rerank } from "./rerank.ts";

export interface LocalRerankOptions
  extends Pick<PoolOptions, "modelDir" | "workerUrl" | "idleMs" | "log"> {
  readonly timeoutMs: number;
}

export function openLocalRerank(options: LocalRerankOptions): Rerank {
  const pool = new Pool({ ...options, room: "rerank", workers: 1, unavailable });
  return {
    timeoutMs: options.timeoutMs,
    async scores(query, passages, signal) {
      const pairs = passages.map((other) => ({ text: query, other }));
      const found = await runAll(pool, "passage", pairs, { signal }).catch((error: Error) => {
        throw signal.aborted ? unavailable("no scores in time") : error;
      });
      const scores = found.map(([score]) => Number(score));
      if (scores.every(Number.isFinite)) return scores;
      throw unavailable("its scores are not numbers");
    },
    close: () => pool.close(),
  };
}

function unavailable(reason: string): KnowledgeError {
  const message = `The reranker in KNOWLEDGE_RERANK_DIR can't be used (${reason}).`;
  return new KnowledgeError("MODEL_UNAVAILABLE", message);
}
