// Results while typing: every key starts a search, and an older result never replaces a newer one.
import { useEffect, useRef, useState } from "preact/hooks";
import type { SearchAnswer } from "../../../tools/documents/contract.ts";
import { CallFailed, call, TokenNeeded } from "../state/mcp.ts";
import { parseRoute } from "../state/route.ts";
import { type Asked, toAddress, toFilters } from "./asked.ts";
import { openRace, type Race } from "./race.ts";

// Browsers throttle addresses that change with every key.
const ADDRESS_MS = 300;
// About a screen of documents, once hits are grouped.
const TOP_K = 20;
const SNIPPET_CHARS = 420;

export type Found =
  | { readonly state: "idle" }
  | { readonly state: "found"; readonly query: string; readonly answer: SearchAnswer }
  | { readonly state: "empty-base" }
  | { readonly state: "failed"; readonly thrown: unknown };

/** The last results stay until the next arrive, because a flickering list cannot be read. */
export function useFound(asked: Asked, composing: boolean): Found {
  const [found, setFound] = useState<Found>({ state: "idle" });
  const race = useRef<Race<Found>>(undefined);
  race.current ??= openRace(setFound);
  const { text, format, since, until, tag, path } = asked;
  useEffect(() => {
    if (composing) return;
    const query = text.trim();
    if (query === "") race.current?.settle({ state: "idle" });
    else race.current?.run((signal) => search(query, asked, signal));
    const timer = setTimeout(() => keepInAddress(asked), ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [text, format, since, until, tag, path, composing]);
  useEffect(() => () => race.current?.end(), []);
  return found;
}

/** Lets the back button restore the results after a document was opened. */
export function keepInAddress(asked: Asked): void {
  // Navigation back may have started before this page noticed.
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
