// The port of the read way: a question → passages, fused and scored.
//
//   query ─┬─ words:   BM25 over terms, quoted phrases, typing errors ─┐
//          └─ meaning: query vector → nearest vectors ─────────────────┴─ fuse → look closer → (rerank) → choose
import type { Passage, SearchFilter } from "../domain/passage.ts";
import type { Embed } from "../embed/embed.ts";
import type { Log } from "../observe/log.ts";
import type { Rerank } from "../rerank/rerank.ts";
import type { DocumentStore } from "../store/store.ts";
import type { Analyser } from "../text/analyse.ts";
import { readCandidates } from "./candidate.ts";
import { choose } from "./choose.ts";
import { boundsOf, type Fusion, fuse } from "./fuse.ts";
import { LOOKED, lookCloser } from "./look-closer.ts";
import { toQuery } from "./query.ts";
import { type ColdStart, recallByMeaning } from "./recall-meaning.ts";
import { type Recall, recallByWords } from "./recall-words.ts";
import { rerankBest } from "./rerank-best.ts";
import { toRelevance } from "./score.ts";

export { openAnalyser } from "../text/analyse.ts";

export interface SearchRequest {
  readonly text: string;
  readonly limit: number;
  readonly minScore?: number;
  readonly filter?: SearchFilter;
}

export interface SearchOutcome {
  readonly passages: readonly Passage[];
  /** "lexical" when no encoder is available; `reason` says why. */
  readonly mode: "hybrid" | "lexical";
  readonly reason?: string;
}

export interface Search {
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchOutcome>;
}

export interface SearchParts {
  readonly store: DocumentStore;
  readonly embed: Embed;
  readonly analyser: Analyser;
  readonly rerank?: Rerank;
  readonly coldStart?: ColdStart;
  readonly log: Log;
}

// Each side's list: deep enough that a passage in the middle of both still meets itself.
const RECALL = 200;
// What is read to choose from: duplicates and a document's many passages make room for others.
const POOL = 3;

export function openSearch(parts: SearchParts): Search {
  const { rerank, log } = parts;
  return {
    async search(request, signal) {
      const { text, limit, minScore = 0, filter } = request;
      const recall: Recall = { limit: RECALL, ...(filter && { filter }) };
      // The model first: it takes longest, and the words are looked up while it runs.
      const embedded = recallByMeaning(parts, text, recall, signal);
      const query = toQuery(text, parts.analyser);
      const [meaning, words] = await Promise.all([
        embedded,
        recallByWords(parts.store, query, recall, signal),
      ]);
      const sides = { words: words.hits, vectors: meaning.hits, limit: RECALL };
      const fusion = fuse(sides, meaning.reader);
      const hits = words.only ? fusion.hits.filter(({ key }) => byWords(fusion, key)) : fusion.hits;
      const read = hits.slice(0, Math.max(limit * POOL, LOOKED));
      const pool = await readCandidates(parts.store, read, fusion.parts);
      const { reader, light } = meaning;
      const looked = lookCloser(pool, { text, reader, light, bounds: boundsOf(sides) });
      const best = looked.filter(({ score }) => toRelevance(score) >= minScore);
      const ordered = rerank ? await rerankBest({ rerank, log }, text, best, signal) : best;
      const passages = choose(ordered, limit).filter(({ score }) => score >= minScore);
      if (meaning.reason === undefined) return { passages, mode: "hybrid" };
      return { passages, mode: "lexical", reason: meaning.reason };
    },
  };
}

function byWords({ parts }: Fusion, key: number): boolean {
  return parts.get(key)?.lexicalRank !== undefined;
}
