import type { ExplainedView } from "../../../tools/scopes/contract.ts";

/** Keeps the rules that contain every typed word in their names, text or scope id. */
export function filterRules(
  entries: ExplainedView["entries"],
  typed: string,
): ExplainedView["entries"] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  return entries.filter(({ category, keyword, content, source_scope }) => {
    const text = folded(`${category}/${keyword}\n${content}\n${source_scope}`);
    return words.every((word) => text.includes(word));
  });
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
