// Results as they are typed for: each keystroke asks, and what an earlier one asked is given up.
import { useEffect, useState } from "preact/hooks";
import type { SearchAnswer } from "../../../tools/documents/contract.ts";
import { CallFailed, call, TokenNeeded } from "../state/mcp.ts";
import { parseRoute } from "../state/route.ts";
import { type Asked, toAddress, toFilters } from "./asked.ts";

// Two keys that are hit together make one search; slower typing never waits longer than this.
const TYPING_MS = 30;
// Grouped by document, this is about a screen of documents.
const TOP_K = 20;
const SNIPPET_CHARS = 420;

export type Found =
  | { readonly state: "idle" }
  | { readonly state: "found"; readonly query: string; readonly answer: SearchAnswer }
  | { readonly state: "empty-base" }
  | { readonly state: "failed"; readonly thrown: unknown };

/** The last results stay until the next are there: a list that blinks cannot be read. */
export function useFound(asked: Asked, composing: boolean): Found {
  const [found, setFound] = useState<Found>({ state: "idle" });
  const { text, format, since, until, tag, path } = asked;
  useEffect(() => {
    if (composing) return;
    const query = text.trim();
    const abort = new AbortController();
    const timer = setTimeout(() => {
      keepInAddress(asked);
      if (query === "") setFound({ state: "idle" });
      else void search(query, asked, abort.signal).then((next) => next && setFound(next));
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, format, since, until, tag, path, composing]);
  return found;
}

/** Going back from a document finds the results again. */
function keepInAddress(asked: Asked): void {
  // The way back may have begun before this page has noticed.
  const isHere = parseRoute(location.hash).page === "search";
  if (isHere) history.replaceState(history.state, "", toAddress(asked));
}

async function search(
  query: string,
  asked: Asked,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const about = { query, filters: toFilters(asked) };
  const shape = { top_k: TOP_K, max_chars: SNIPPET_CHARS, explain: true };
  try {
    const answer = await call("knowledge-search", { ...about, ...shape }, signal);
    return { state: "found", query, answer };
  } catch (thrown) {
    if (signal.aborted) return undefined;
    if (thrown instanceof TokenNeeded) dispatchEvent(new Event("token-needed"));
    if (thrown instanceof CallFailed && thrown.payload["error"] === "empty_knowledge_base") {
      return { state: "empty-base" };
    }
    return { state: "failed", thrown };
  }
}
