// The searches of both engines, on what each keeps in memory.
import type { SearchFilter } from "../../domain/passage.ts";
import { keysToRead } from "../core/rows.ts";
import type { ChunksToRead, Hit, LexicalQuery, VectorQuery } from "../ports/documents.ts";
import type { Connection, Engine } from "../sql.ts";
import { phrasesIn } from "../words/chunk-terms.ts";
import type { AllowedDocuments } from "../words/lexical.ts";
import type { openWords } from "../words/words.ts";
import { readChunks } from "./read-documents.ts";

export interface SearchParts {
  readonly words: ReturnType<typeof openWords>;
  nearest(db: Connection, query: VectorQuery): Promise<readonly Hit[]>;
  allowed(db: Connection, filter: SearchFilter): Promise<AllowedDocuments>;
}

/** Hits as two arrays of numbers, because sending hundreds of small objects to a thread would take longer than finding them. */
interface PackedHits {
  readonly keys: Float64Array;
  readonly scores: Float64Array;
}

export type Searches = ReturnType<typeof openSearches>;

export function openSearches(
  { read }: Pick<Engine, "read">,
  { words, nearest, allowed }: SearchParts,
) {
  return {
    lexical: (query: LexicalQuery) =>
      read(async (db) => {
        const within = query.filter ? allowed(db, query.filter) : {};
        const { hits, statistics } = await words.lexical(db, query, within);
        return { hits: packHits(hits), statistics };
      }),
    nearest: (query: VectorQuery) => read(async (db) => packHits(await nearest(db, query))),
    nearestWithChunks: (query: VectorQuery, along: ChunksToRead) =>
      read(async (db) => {
        const hits = await nearest(db, query);
        return { hits: packHits(hits), chunks: await readChunks(db, keysToRead(hits, along)) };
      }),
    termStatistics: (terms: readonly string[]) => read((db) => words.termStatistics(db, terms)),
    phrasesIn: (keys: readonly number[], phrases: readonly (readonly string[])[]) =>
      read((db) => phrasesIn(db, keys, phrases)),
    similarTerms: (terms: readonly string[], limit: number) =>
      read((db) => words.similarTerms(db, terms, limit)),
    termsStartingWith: (prefix: string, limit: number) =>
      read((db) => words.termsStartingWith(db, prefix, limit)),
  };
}

function packHits(hits: readonly Hit[]): PackedHits {
  return {
    keys: Float64Array.from(hits, ({ key }) => key),
    scores: Float64Array.from(hits, ({ score }) => score),
  };
}

export function unpackHits({ keys, scores }: PackedHits): readonly Hit[] {
  return Array.from(keys, (key, at) => ({ key, score: scores[at] as number }));
}
