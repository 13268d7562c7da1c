// The server store: one PostgreSQL with pgvector, any number of servers and workers on it. Nothing connects
// before it is needed, so an unavailable database makes calls fail but not the start.
import { tmpdir } from "node:os";
import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import { setAsideIssue } from "../core/read-task.ts";
import { keysToRead } from "../core/rows.ts";
import type { DocumentStore, Store, StoreHealth } from "../store.ts";
import { locationOf, type Sql } from "./connection.ts";
import { type Database, openDatabase } from "./database.ts";
import { isAtPath } from "./documents/filter.ts";
import { openVectorIndexes, searchNearest } from "./documents/nearest.ts";
import { openOriginals } from "./documents/originals.ts";
import {
  findDocument,
  knownKeys,
  listDocuments,
  readChunks,
  readChunksOf,
  readExtracted,
  readStale,
  readTotals,
  readWhole,
} from "./documents/read-documents.ts";
import {
  adoptDocument,
  clearDocuments,
  putDocument,
  reindexDocument,
  removeDocument,
} from "./documents/write-documents.ts";
import { rowsSetAside } from "./foreign-keys.ts";
import { openRefinements } from "./refinement/refinements.ts";
import { openScopes } from "./scopes/read-scopes.ts";
import { openScopesVersion } from "./scopes/scopes-version.ts";
import { openTasks, tasksSetAside } from "./tasks.ts";
import { searchLexical } from "./words/lexical.ts";
import { openPostingsCache } from "./words/postings-cache.ts";
import { readPhrasesIn, readTermStatistics } from "./words/read-postings.ts";
import { openMerging } from "./words/segments.ts";
import { openSimilarTerms } from "./words/similar-terms.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=verify-full` */
  readonly url: string;
  readonly log: Log;
  /** The knowledge base's name: one database can hold several, isolated from each other. */
  readonly base?: string;
  readonly poolSize?: number;
  readonly connectTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
  /** How long a call waits for an unavailable database before it fails. */
  readonly retryForMs?: number;
  /** Where originals are put while a parser reads them. */
  readonly tempDir?: string;
  /** Memory for the postings of frequent terms. */
  readonly cacheBytes?: number;
}

const DEFAULTS = {
  base: "default",
  poolSize: 8,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 30_000,
  retryForMs: 10_000,
  cacheBytes: 48 * 1024 * 1024,
};
/** A health check must not wait for a database that does not respond. */
const HEALTH_MS = 1_500;

export function openPostgres(options: PostgresOptions): Store {
  const settings = { ...DEFAULTS, ...options };
  const database = openDatabase(settings);
  const merging = openMerging(database, settings.log);
  const version = openScopesVersion(database, settings);
  return {
    documents: openDocuments(database, merging.nudge, settings.cacheBytes),
    refinements: openRefinements(database),
    originals: openOriginals(database, options.tempDir ?? tmpdir()),
    tasks: openTasks(database),
    scopes: openScopes(database, version),
    health: () => checkHealth(database, settings.url),
    async close() {
      await merging.idle();
      await version.close();
      await database.close();
    },
  };
}

function openDocuments(database: Database, changed: () => void, cacheBytes: number): DocumentStore {
  return { ...documentReads(database, cacheBytes), ...documentWrites(database, changed) };
}

type Writes = "put" | "adopt" | "remove" | "clear" | "reindex";

function documentWrites(database: Database, changed: () => void): Pick<DocumentStore, Writes> {
  const needIndex = openVectorIndexes(database);
  const write = async <T>(work: (sql: Sql, kb: number) => Promise<T>): Promise<T> => {
    const result = await database.write(work);
    changed();
    return result;
  };
  return {
    async put(document, chunks, finishes) {
      await needIndex(dimensionsOf(chunks));
      return write((sql, kb) => putDocument(sql, kb, { document, chunks, finishes }));
    },
    adopt: (id, again, finishes) =>
      write((sql, kb) => adoptDocument(sql, kb, { id, ...again, finishes })),
    remove: (id, why) => write((sql, kb) => removeDocument(sql, kb, { id, why })),
    clear: () => write(clearDocuments),
    async reindex(id, index, chunks) {
      await needIndex(dimensionsOf(chunks));
      return write((sql, kb) => reindexDocument(sql, kb, { id, ...index, chunks }));
    },
  };
}

function documentReads(database: Database, cacheBytes: number): Omit<DocumentStore, Writes> {
  const { read } = database;
  const cache = openPostingsCache(cacheBytes);
  return {
    get: (id) => read((sql, kb) => findDocument(sql, kb, sql`d.id = ${id}`)),
    findByHash: (hash) => read((sql, kb) => findDocument(sql, kb, sql`d.content_hash = ${hash}`)),
    knownKeys: (keys) => read((sql, kb) => knownKeys(sql, kb, keys)),
    findByPath: (path) => read((sql, kb) => findDocument(sql, kb, isAtPath(sql, path))),
    list: (page) => read((sql, kb) => listDocuments(sql, kb, page)),
    extracted: (id) => read((sql, kb) => readExtracted(sql, kb, id)),
    whole: (id) => read((sql, kb) => readWhole(sql, kb, id)),
    totals: () => read(readTotals),
    lexical: (query, signal) =>
      abortable(signal, () => read((sql, kb) => searchLexical(sql, { kb, cache }, query))),
    nearest: (query, signal) =>
      abortable(signal, () => read((sql, kb) => searchNearest(sql, kb, query))),
    nearestWithChunks: (query, along, signal) =>
      abortable(signal, () =>
        read(async (sql, kb) => {
          const hits = await searchNearest(sql, kb, query);
          return { hits, chunks: await readChunks(sql, kb, keysToRead(hits, along)) };
        }),
      ),
    termStatistics: (terms) => read((sql, kb) => readTermStatistics(sql, kb, terms)),
    phrasesIn: (keys, phrases) => read((sql, kb) => readPhrasesIn(sql, kb, { keys, phrases })),
    ...openSimilarTerms(database),
    chunks: (keys) => read((sql, kb) => readChunks(sql, kb, keys)),
    chunksOf: (id) => read((sql, kb) => readChunksOf(sql, kb, id)),
    stale: (fingerprint, limit) => read((sql, kb) => readStale(sql, kb, { fingerprint, limit })),
  };
}

function dimensionsOf(chunks: readonly { readonly vector?: Float32Array }[]): number {
  return chunks.find((chunk) => chunk.vector)?.vector?.length ?? 0;
}

/** A search takes milliseconds, so it is not cancelled in the database; only the caller stops waiting. */
async function abortable<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (!signal) return work();
  if (signal.aborted) throw cancelled(signal);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(cancelled(signal));
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function cancelled(signal: AbortSignal): KnowledgeError {
  return new KnowledgeError("CANCELLED", "The call was cancelled.", { cause: signal.reason });
}

async function checkHealth(database: Database, url: string): Promise<StoreHealth> {
  const issues: string[] = [];
  const found = await database
    .probe(HEALTH_MS, (sql, kb) => Promise.all([tasksSetAside(sql, kb), rowsSetAside(sql, kb)]))
    .catch((thrown: unknown) => toKnowledgeError(thrown));
  const connected = Array.isArray(found);
  if (connected) {
    const [tasks, rows] = found;
    issues.push(...[setAsideIssue(tasks), rows].filter((issue) => issue !== undefined));
  } else issues.push(found.message);
  const location = locationOf(url);
  return {
    kind: "postgres",
    connected,
    originalsAccessible: connected,
    location,
    originalsLocation: location,
    issues,
  };
}
