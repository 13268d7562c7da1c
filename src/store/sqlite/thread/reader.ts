// The methods of the reading thread.
import { keysToRead } from "../../core/rows.ts";
import type { ChunksToRead, Hit, LexicalQuery, TermStatistics, VectorQuery } from "../../store.ts";
import type { Database } from "../database.ts";
import { openFilters } from "../documents/filter.ts";
import { openDocumentReader, readChunks } from "../documents/read-documents.ts";
import { readWhole } from "../documents/read-whole.ts";
import type { Ownership } from "../folder/identity.ts";
import { openRefinementReader } from "../refinement/waiting.ts";
import { openScopeReader } from "../scopes/read-scopes.ts";
import { openLeaseClock } from "../tasks/lease-clock.ts";
import { openTaskReader } from "../tasks/read-tasks.ts";
import { Mirror } from "../vectors/mirror.ts";
import { findTerm, openLexical, phrasesIn } from "../words/lexical.ts";
import { openSimilarTerms } from "../words/similar-terms.ts";
import { type PackedHits, packHits } from "./packed-messages.ts";

export function openReader(database: Database) {
  const mirror = new Mirror(database);
  const filters = openFilters(database, mirror);
  const lexical = openLexical(database, mirror);
  const followed = <Result>(work: () => Result) =>
    database.read(() => {
      mirror.follow();
      return work();
    });
  const nearest = openNearest(mirror, filters);
  const statisticsOf = (terms: readonly string[]): TermStatistics => ({
    chunkCount: Number(database.get<{ chunks: number }>("SELECT chunks FROM state")?.chunks),
    frequencies: new Map(terms.map((term) => [term, findTerm(database, term)?.frequency ?? 0])),
  });
  return {
    ...openDocumentReader(database),
    ...openScopeReader(database),
    ...openTaskReader(database, openLeaseClock()),
    ...openRefinementReader(database),
    lexical: (query: LexicalQuery): { hits: PackedHits; statistics: TermStatistics } =>
      followed(() => ({
        hits: packHits(lexical.search(query, filters.allowed(query.filter))),
        statistics: statisticsOf(query.terms.map(({ term }) => term)),
      })),
    nearest: (query: VectorQuery): PackedHits => followed(() => packHits(nearest(query))),
    nearestWithChunks: (query: VectorQuery, read: ChunksToRead) =>
      followed(() => {
        const hits = nearest(query);
        return { hits: packHits(hits), chunks: readChunks(database, keysToRead(hits, read)) };
      }),
    termStatistics: (terms: readonly string[]) => database.read(() => statisticsOf(terms)),
    phrasesIn: (keys: readonly number[], phrases: readonly (readonly string[])[]) =>
      database.read(() => phrasesIn(database, keys, phrases)),
    ...openSimilarTerms(database),
    whole: (id: string) => database.read(() => readWhole(database, id)),
    status: () => toStatus(database),
  };
}

function toStatus({ readOnly, isAtPath, isWritable, identity }: Database): ReaderStatus {
  const ownership = readOnly ? ({ kind: "ours" } as const) : identity.claim();
  return { readOnly, isAtPath: isAtPath(), isWritable: isWritable(), ownership };
}

function openNearest(mirror: Mirror, filters: ReturnType<typeof openFilters>) {
  return ({ vector, model, limit, filter }: VectorQuery): readonly Hit[] => {
    const table = mirror.vectors.get(vector.length);
    return table?.nearest(vector, limit, filters.allowed(filter, model)) ?? [];
  };
}

export interface ReaderStatus {
  readonly readOnly: boolean;
  /** False if the database was moved, deleted or replaced. */
  readonly isAtPath: boolean;
  readonly isWritable: boolean;
  readonly ownership: Ownership;
}

export type Reader = ReturnType<typeof openReader>;
