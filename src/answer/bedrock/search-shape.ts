// Bedrock has two kinds of knowledge bases, and each rejects the other's search configuration. The service's response
// shows which kind it is; that is remembered per knowledge base.
import type {
  KnowledgeBaseRetrievalConfiguration,
  RetrievalFilter,
} from "@aws-sdk/client-bedrock-agent-runtime";
import type { KnowledgeBaseKind } from "../answer.ts";

export type SearchShape = "vector" | "managed" | "none";

interface Search {
  readonly numberOfResults: number;
  readonly filter?: RetrievalFilter;
}

export function toRetrieval(
  shape: SearchShape,
  search: Search,
): KnowledgeBaseRetrievalConfiguration | undefined {
  switch (shape) {
    case "vector":
      return { vectorSearchConfiguration: search };
    case "managed":
      return { managedSearchConfiguration: search };
    case "none":
      return undefined;
  }
}

/**
 * The shapes to try, the likeliest first. The shape without a configuration is skipped if there is
 * a filter, because the filter would be lost.
 */
export function shapesToTry(kind: KnowledgeBaseKind, hasFilter: boolean): readonly SearchShape[] {
  if (kind !== "auto") return [kind];
  return hasFilter ? ["vector", "managed"] : ["vector", "managed", "none"];
}

const CONFIGURATION = /(vector|managed)SearchConfiguration|retrievalConfiguration/i;

/** Whether the error means that the knowledge base is of the other kind. */
export function isWrongShape(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || thrown.name !== "ValidationException") return false;
  return CONFIGURATION.test(thrown.message) && /not supported|incompatible/i.test(thrown.message);
}
