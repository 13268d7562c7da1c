// The port of the read path: a question → passages, fused and scored.
//
//   query ─┬─ words:   BM25 over terms, quoted phrases, typing errors ─┐
//          └─ meaning: query vector → nearest vectors ─────────────────┴─ fuse → rescore → (rerank) → choose
import { GENERAL_SCOPE } from "../domain/call/grants.ts";
import type { Sight } from "../domain/call/sight.ts";
import type { Passage, SearchFilter } from "../domain/passage.ts";
import type { Embed } from "../embed/embed.ts";
import type { Log } from "../observe/log.ts";
import type { Rerank } from "../rerank/rerank.ts";
import type { DocumentStore } from "../store/store.ts";
import type { Analyser } from "../text/analyse.ts";
import { type Candidate, openChunkCache } from "./candidate.ts";
import { fuse } from "./fuse.ts";
import { toQuery } from "./query.ts";
import { type ColdStart, loadLight, recallInEverySpace, warmUp } from "./recall-meaning.ts";
import { type Recall, recallByWords } from "./recall-words.ts";
import { rerankBest } from "./rerank-best.ts";
import { openJudge, openMemory } from "./rescore/passage-signals.ts";
import { rescore } from "./rescore/rescore.ts";
import { toRelevance } from "./score.ts";
import type { LoadSynonyms } from "./synonyms.ts";
import { chooseNewest } from "./versions.ts";

export { openRerank } from "../rerank/rerank.ts";
export { openAnalyser } from "../text/analyse.ts";
export { openSynonyms } from "./synonyms.ts";

export interface SearchRequest {
  readonly text: string;
  readonly limit: number;
  readonly minScore?: number;
  readonly filter?: SearchFilter;
  /** What the caller may see; everything if absent. */
  readonly sight?: Sight;
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
  readonly rerank?: Rerank | undefined;
  /** For Japanese words that no passage has. */
  readonly synonyms?: LoadSynonyms;
  /** Models of which documents still have vectors, besides the one in use. */
  readonly others?: (() => Promise<readonly Embed[]>) | undefined;
  readonly coldStart?: ColdStart;
  readonly log: Log;
}

// Length of each list: a passage that ranks only in the middle of both must still be in both.
const RECALL_LIMIT = 200;
// How many are read and ordered, whatever the limit, so that a longer list only continues a shorter one. More than are
// ever shown, because duplicates are dropped; with more the order of the first ten stays the same.
const POOL = 120;

export function openSearch(parts: SearchParts): Search {
  const { rerank, log } = parts;
  const memory = openMemory();
  return {
    async search(request, signal) {
      const { text, limit, minScore = 0, filter, sight } = request;
      const store = sight ? parts.store.seenBy(sight) : parts.store;
      const recall: Recall = { limit: RECALL_LIMIT, ...(filter && { filter }) };
      const light = await loadLight(parts);
      // The model starts first, because it takes longest; work that does not need its vector is done while it runs.
      const judge = openJudge(text, light, memory);
      const cache = openChunkCache(store, judge);
      const asked = { text, light };
      const embedded = recallInEverySpace({ ...parts, store: cache }, asked, recall, signal);
      // Its failure is one of the two that are awaited below: one thrown here would leave the other to nobody.
      const found = (async () => {
        const query = toQuery(text, parts.analyser, light, parts.synonyms);
        return recallByWords(store, query, recall, signal);
      })();
      const ahead = cache.readAhead(found, embedded);
      const [meaning, words] = await Promise.all([embedded, found, ahead]);
      const { encoder } = meaning;
      const sides = { words: words.hits, vectors: meaning.hits, limit: RECALL_LIMIT };
      const fusion = fuse(sides, encoder);
      const hits = words.only
        ? fusion.hits.filter(({ key }) => fusion.parts.get(key)?.lexicalRank)
        : fusion.hits;
      const pool = await cache.candidates(hits.slice(0, POOL), fusion.parts);
      const options = { text, encoder, light, judge, bounds: fusion.bounds };
      const rescored = rescore(pool, options);
      const near = filter?.scopes ? nearFirst(rescored, filter.scopes) : rescored;
      const best = near.filter(({ score }) => toRelevance(score) >= minScore);
      const ordered = rerank ? await rerankBest({ rerank, log }, text, best, signal) : best;
      const passages = chooseNewest(ordered, text, limit).filter(({ score }) => score >= minScore);
      warmUp(parts, text, meaning);
      if (meaning.reason === undefined) return { passages, mode: "hybrid" };
      return { passages, mode: "lexical", reason: meaning.reason };
    },
  };
}

/** Of equals, those of the nearest scope come first. */
function nearFirst(found: readonly Candidate[], scopes: readonly string[]): readonly Candidate[] {
  const distance = ({ chunk: { document } }: Candidate) =>
    scopes.indexOf(document.scope ?? GENERAL_SCOPE);
  return found.toSorted((a, b) => b.score - a.score || distance(a) - distance(b));
}
