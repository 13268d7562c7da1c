// The overlay's options: recent searches, then the places found, then a link to all results.
import type { SearchResult } from "../../../tools/documents/contract.ts";
import { toHash } from "../state/route.ts";
import { placeQuery } from "./place.ts";
import type { Found } from "./use-found.ts";

export type Option =
  | { readonly kind: "recent"; readonly id: string; readonly query: string }
  | { readonly kind: "hit"; readonly id: string; readonly hit: SearchResult; readonly href: string }
  | { readonly kind: "all"; readonly id: string; readonly href: string };

// As many as fit on a phone without much scrolling.
const SHOWN = 8;

export function optionsOf(
  query: string,
  found: Found,
  recent: readonly string[],
): readonly Option[] {
  if (query === "")
    return recent.map((each, at) => ({ kind: "recent", id: `recent-${at}`, query: each }));
  const hits = found.state === "found" ? found.answer.results : [];
  const good = hits.filter(({ strength }) => strength !== "weak");
  const shown = (good.length > 0 ? good : hits).slice(0, SHOWN);
  return [
    ...shown.map((hit): Option => {
      const { span } = hit.metadata;
      const href = toHash("documents", hit.document_id, placeQuery(span, query));
      return { kind: "hit", id: `hit-${hit.chunk_id}`, hit, href };
    }),
    { kind: "all", id: "all-results", href: toHash("search", undefined, { q: query }) },
  ];
}
