import { type Highlighter, toHighlighter } from "../../../text/highlights.ts";

// A page marks the same query in many texts.
const last: { query: string; find: Highlighter } = { query: "", find: () => [] };

export function highlighterOf(query: string): Highlighter {
  if (query !== last.query) Object.assign(last, { query, find: toHighlighter(query) });
  return last.find;
}
