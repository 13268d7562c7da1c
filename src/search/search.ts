// The port of the read way: a question → passages, fused and scored.
import type { Passage, SearchFilter } from "../domain/passage.ts";

export interface SearchRequest {
  readonly text: string;
  readonly limit: number;
  readonly minScore?: number;
  readonly filter?: SearchFilter;
}

export interface SearchOutcome {
  readonly passages: readonly Passage[];
  /** "lexical" when the model is away: `reason` says why. */
  readonly mode: "hybrid" | "lexical";
  readonly reason?: string;
}

export interface Search {
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchOutcome>;
}
