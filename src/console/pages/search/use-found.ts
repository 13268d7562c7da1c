// Results while typing: every key starts a search, and an older result never replaces a newer one.
import { useEffect, useRef, useState } from "preact/hooks";
import type { SearchAnswer } from "../../../tools/documents/contract.ts";
import { CallFailed, call } from "../state/mcp.ts";
import { parseRoute } from "../state/route.ts";
import { type LatestResult, openLatestResult } from "./latest-result.ts";
import { questionOf, type SearchQuery, toAddress, toFilters } from "./search-query.ts";

// Browsers refuse to change the address with every key.
const ADDRESS_MS = 300;
// About a screen of documents, once hits are grouped.
const TOP_K = 20;
const SNIPPET_CHARS = 420;

export type Found =
  | { readonly state: "idle" }
  | { readonly state: "found"; readonly query: string; readonly answer: SearchAnswer }
  | { readonly state: "empty-base" }
  | { readonly state: "failed"; readonly thrown: unknown };

/** Another `round` searches again. The last results stay until the next arrive, because a flickering list cannot be read. */
export function useFound(searchQuery: SearchQuery, composing: boolean, round = 0): Found {
  const [found, setFound] = useState<Found>({ state: "idle" });
  const latest = useRef<LatestResult<Found>>(undefined);
  latest.current ??= openLatestResult(setFound);
  const question = questionOf(searchQuery);
  const address = toAddress(searchQuery);
  useEffect(() => {
    if (composing) return;
    if (question === "") latest.current?.settle({ state: "idle" });
    else latest.current?.run((signal) => search(question, searchQuery, signal));
    const timer = setTimeout(() => keepInAddress(searchQuery), ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [address, composing, round]);
  useEffect(() => () => latest.current?.end(), []);
  return found;
}

/** Lets the back button restore the results after a document was opened. */
export function keepInAddress(searchQuery: SearchQuery): void {
  // Navigation back may have started before this page noticed.
  const isHere = parseRoute(location).page === "search";
  if (isHere) history.replaceState(history.state, "", toAddress(searchQuery));
}

async function search(
  query: string,
  searchQuery: SearchQuery,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const about = { query, filters: toFilters(searchQuery) };
  // The page folds weak results away instead of leaving them out.
  const shape = { top_k: TOP_K, max_chars: SNIPPET_CHARS, min_relevance: 0, explain: true };
  try {
    const answer = await call("knowledge-search", { ...about, ...shape }, signal);
    return { state: "found", query, answer };
  } catch (thrown) {
    if (signal.aborted) return undefined;
    if (thrown instanceof CallFailed && thrown.payload["error"] === "empty_knowledge_base") {
      return { state: "empty-base" };
    }
    return { state: "failed", thrown };
  }
}
