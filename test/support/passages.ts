// Passages as a search returns them.
import type { Passage } from "../../src/domain/passage.ts";
import type { Search } from "../../src/search/search.ts";

export function passage(text: string, overrides: Partial<Passage> = {}): Passage {
  const start = overrides.start ?? 0;
  return {
    documentId: "doc-1",
    chunkId: `chunk-${text.slice(0, 12)}`,
    filename: "notes.md",
    format: "md",
    dateAdded: "2026-01-01T00:00:00.000Z",
    text,
    start,
    end: start + text.length,
    ordinal: 0,
    place: {},
    headings: [],
    metadata: {},
    score: 0.8,
    strength: "strong",
    parts: { vector: 0.7 },
    ...overrides,
  };
}

/** Returns these passages for any query, and records the queries. */
export function fixedSearch(passages: readonly Passage[]) {
  const asked: Parameters<Search["search"]>[0][] = [];
  const search: Search = {
    search: async (request) => {
      asked.push(request);
      return { passages: passages.slice(0, request.limit), mode: "hybrid" };
    },
  };
  return { search: async () => search, asked };
}
