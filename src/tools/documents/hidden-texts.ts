// Text that people do not see, for those who ask for it: found by its words, and never mixed with the results.
import type { HiddenText } from "../../domain/document.ts";
import type { DocumentWithHidden } from "../../store/store.ts";
import { toHighlighter } from "../../text/highlights.ts";
import { toPlacePayload } from "./tool.ts";

export function toHiddenPayload({ place, kind, text }: HiddenText, maxChars: number) {
  return { ...toPlacePayload(place), kind, text: text.slice(0, maxChars) };
}

export interface HiddenQuery {
  readonly query: string;
  readonly top_k: number;
  readonly max_chars: number;
}

/** Those with most of the query's words first; words are compared as they are written. */
export function findHidden(
  documents: readonly DocumentWithHidden[],
  { query, top_k, max_chars }: HiddenQuery,
) {
  const highlight = toHighlighter(query);
  const found = documents.flatMap(({ id, filename, hidden }) =>
    hidden.flatMap((each) => {
      const words = highlight(each.text).map(({ start, end }) => each.text.slice(start, end));
      const matched = new Set(words.map((word) => word.toLowerCase())).size;
      const payload = { document_id: id, filename, ...toHiddenPayload(each, max_chars) };
      return matched === 0 ? [] : [{ matched, payload }];
    }),
  );
  return found
    .toSorted((a, b) => b.matched - a.matched)
    .slice(0, top_k)
    .map(({ payload }) => payload);
}
