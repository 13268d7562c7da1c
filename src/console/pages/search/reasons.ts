// Explains why a passage was found: which words, how close in meaning, whether the name matches.

import { highlights, queryWords } from "../../../text/highlights.ts";
import type { SearchResult } from "../../../tools/documents/contract.ts";

// Cosines of the encoders: passages that answer a question are above the first, passages on the
// same subject above the second.
const NEAR = 0.5;
const RELATED = 0.3;

export function reasonsOf(hit: SearchResult, query: string) {
  const { title = "", headings = [], score_parts: parts } = hit.metadata;
  const wanted = queryWords(query);
  const text = [hit.chunk_text, ...headings].join("\n");
  const isIn = (place: string) => (word: string) => highlights(place, word).length > 0;
  const words = wanted.filter(isIn(text));
  return {
    words,
    missing: wanted.filter((word) => !words.includes(word)),
    inName: wanted.filter(isIn(`${hit.filename.replace(/[._-]+/g, " ")}\n${title}`)),
    meaning: meaningOf(parts?.vector),
  };
}

function meaningOf(cosine: number | undefined): "near" | "related" | "far" | undefined {
  if (cosine === undefined) return undefined;
  if (cosine >= NEAR) return "near";
  return cosine >= RELATED ? "related" : "far";
}
