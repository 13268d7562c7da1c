// The methods of the reading thread besides the operations of both engines: the searches, on what it keeps in memory.
import { keysToRead } from "../../core/rows.ts";
import { readChunks } from "../../documents/read-documents.ts";
import type { Connection, Engine } from "../../sql.ts";
import type { ChunksToRead, Hit, LexicalQuery, TermStatistics, VectorQuery } from "../../store.ts";
import { phrasesIn } from "../../words/chunk-terms.ts";
import { openWords } from "../../words/words.ts";
import type { Database } from "../database.ts";
import type { Ownership } from "../folder/identity.ts";
import { Mirror } from "../vectors/mirror.ts";
import { openFilters } from "./filters.ts";
import { type PackedHits, packHits } from "./packed-hits.ts";

/** All postings of 100,000 chunks take about 30 MB, so those in use stay in memory. */
const POSTINGS_BYTES = 64 * 1024 * 1024;

/** Everything in memory is shared by the callers; each gets the methods on its own engine. */
export function openReader(database: Database) {
  const filters = openFilters();
  const words = openWords(POSTINGS_BYTES);
  const nearest = openNearest(filters);
  return ({ read }: Pick<Engine, "read">) => ({
    lexical: (query: LexicalQuery): Promise<{ hits: PackedHits; statistics: TermStatistics }> =>
      read(async (db) => {
        const mask = query.filter && (await filters.allowed(db, query.filter));
        const allowed = mask ? { allows: (doc: number) => mask[doc] === 1 } : {};
        const { hits, statistics } = await words.lexical(db, query, allowed);
        return { hits: packHits(hits), statistics };
      }),
    nearest: (query: VectorQuery): Promise<PackedHits> =>
      read(async (db) => packHits(await nearest(db, query))),
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
    status: () => toStatus(database),
  });
}

function toStatus({ readOnly, isAtPath, isWritable, identity }: Database): ReaderStatus {
  const ownership = readOnly ? ({ kind: "ours" } as const) : identity.claim();
  return { readOnly, isAtPath: isAtPath(), isWritable: isWritable(), ownership };
}

function openNearest(filters: ReturnType<typeof openFilters>) {
  const mirror = new Mirror();
  return async (db: Connection, query: VectorQuery): Promise<readonly Hit[]> =>
    mirror.nearest(db, query, await filters.allowed(db, query.filter, query.model));
}

export interface ReaderStatus {
  readonly readOnly: boolean;
  /** False if the database was moved, deleted or replaced. */
  readonly isAtPath: boolean;
  readonly isWritable: boolean;
  readonly ownership: Ownership;
}

export type Reader = ReturnType<ReturnType<typeof openReader>>;
