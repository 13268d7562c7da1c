// The methods of the reading thread besides the operations of both engines: the searches, on what it keeps in memory.
import { openSearches, type SearchParts } from "../../documents/searches.ts";
import type { Engine } from "../../sql.ts";
import { openWords } from "../../words/words.ts";
import type { Database } from "../database.ts";
import type { Ownership } from "../folder/identity.ts";
import { Mirror } from "../vectors/mirror.ts";
import { openFilters } from "./filters.ts";

/** All postings of 100,000 chunks take about 30 MB, so those in use stay in memory. */
const POSTINGS_BYTES = 64 * 1024 * 1024;

/** Everything in memory is shared by the callers; each gets the methods on its own engine. */
export function openReader(database: Database) {
  const filters = openFilters();
  const mirror = new Mirror();
  const parts: SearchParts = {
    words: openWords(POSTINGS_BYTES),
    nearest: async (db, query) =>
      mirror.nearest(db, query, await filters.allowed(db, query.filter, query.model)),
    async allowed(db, filter) {
      const mask = await filters.allowed(db, filter);
      return mask ? { allows: (doc) => mask[doc] === 1 } : {};
    },
  };
  return (engine: Pick<Engine, "read">) => ({
    ...openSearches(engine, parts),
    status: () => toStatus(database),
  });
}

function toStatus({ readOnly, isAtPath, isWritable, identity }: Database): ReaderStatus {
  const ownership = readOnly ? ({ kind: "ours" } as const) : identity.claim();
  return { readOnly, isAtPath: isAtPath(), isWritable: isWritable(), ownership };
}

export interface ReaderStatus {
  readonly readOnly: boolean;
  /** False if the database was moved, deleted or replaced. */
  readonly isAtPath: boolean;
  readonly isWritable: boolean;
  readonly ownership: Ownership;
}

export type Reader = ReturnType<ReturnType<typeof openReader>>;
