// The server store: one PostgreSQL with pgvector, any number of servers and workers on it. Nothing connects
// before it is needed, so an unavailable database makes calls fail but not the start.
import { tmpdir } from "node:os";
import type { Metadata } from "../../domain/document.ts";
import { KnowledgeError, messageOf, toKnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import { joinParts, packParts } from "../core/packed-chunks.ts";
import { setAsideIssue } from "../core/read-task.ts";
import { keysToRead, toFoundChunk } from "../core/rows.ts";
import { openDocuments as openRepository } from "../documents/documents.ts";
import { readChunks } from "../documents/read-documents.ts";
import { openRefinements } from "../refinements.ts";
import { openScopes } from "../scopes/scopes.ts";
import { openSources } from "../sources.ts";
import type { Engine } from "../sql.ts";
import type {
  DocumentStore,
  IndexedChunk,
  NewDocument,
  ScopeStore,
  Store,
  StoreHealth,
} from "../store.ts";
import { openTasks, tasksSetAside } from "../tasks.ts";
import { phrasesIn } from "../words/chunk-terms.ts";
import { openMerging } from "../words/segments.ts";
import { openWords } from "../words/words.ts";
import { locationOf } from "./connection.ts";
import { openDatabase } from "./database.ts";
import { openEngine, type PostgresEngine } from "./engine.ts";
import { letGo, openOriginals } from "./originals.ts";
import { ScopesVersion } from "./scopes-version.ts";
import { storable, storableJson } from "./text.ts";
import { findAllowed, openVectorIndexes, searchNearest, VECTOR_ROWS } from "./vectors.ts";

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
  const engine = openEngine(database);
  const merging = openMerging(engine, settings.log);
  const version = new ScopesVersion(database, settings);
  return {
    documents: openDocuments(engine, merging.nudge, settings.cacheBytes),
    refinements: openRefinements(engine, VECTOR_ROWS),
    originals: openOriginals(engine, options.tempDir ?? tmpdir()),
    tasks: openTasks(engine),
    scopes: openFollowedScopes(engine, version),
    sources: openSources(engine),
    health: () => checkHealth(engine, settings.url),
    async close() {
      await merging.idle();
      await version.close();
      await database.close();
    },
  };
}

function openFollowedScopes(engine: PostgresEngine, version: ScopesVersion): ScopeStore {
  const scopes = openScopes(engine);
  return {
    ...scopes,
    version: () => version.get(),
    async apply(changes) {
      const made = await scopes.apply(changes);
      if (made !== undefined) version.note(made);
    },
  };
}

function openDocuments(engine: Engine, changed: () => void, cacheBytes: number): DocumentStore {
  const documents = openRepository(engine, { vectors: VECTOR_ROWS, letGo });
  const needIndex = openVectorIndexes(engine);
  const pack = async (chunks: readonly IndexedChunk[]) => {
    const packed = joinParts([...packParts(chunks)]);
    await needIndex(packed.dimensions);
    return packed;
  };
  const noting = <Result>(result: Result): Result => {
    changed();
    return result;
  };
  return {
    ...documents,
    ...openSearches(engine, cacheBytes),
    chunks: async (keys) => (await documents.chunks(keys)).map(toFoundChunk),
    chunksOf: async (id) => (await documents.chunksOf(id)).map(toFoundChunk),
    put: async (document, chunks, finishes) =>
      noting(await documents.put(toStorable(document), await pack(chunks), finishes)).outcome,
    adopt: async (id, again, finishes) =>
      noting(await documents.adopt(id, again, finishes)).outcome,
    remove: async (id, why) => noting(await documents.remove(id, why))?.document,
    clear: async () => noting(await documents.clear()).totals,
    reindex: async (id, index, chunks) =>
      noting(await documents.reindex(id, index, await pack(chunks))),
  };
}

/** Text and chunks are stored in different columns, and must stay the same. */
function toStorable(document: NewDocument): NewDocument {
  const { extracted, metadata } = document;
  return {
    ...document,
    metadata: storableJson(metadata) as Metadata,
    extracted: { ...extracted, text: storable(extracted.text) },
  };
}

function openSearches({ read }: Engine, cacheBytes: number) {
  const words = openWords(cacheBytes);
  return {
    lexical: (query, signal) =>
      abortable(signal, () =>
        read((db) => words.lexical(db, query, findAllowed(db, query.filter))),
      ),
    nearest: (query, signal) => abortable(signal, () => read((db) => searchNearest(db, query))),
    nearestWithChunks: (query, along, signal) =>
      abortable(signal, () =>
        read(async (db) => {
          const hits = await searchNearest(db, query);
          const chunks = await readChunks(db, keysToRead(hits, along));
          return { hits, chunks: chunks.map(toFoundChunk) };
        }),
      ),
    termStatistics: (terms) => read((db) => words.termStatistics(db, terms)),
    phrasesIn: (keys, phrases) => read((db) => phrasesIn(db, keys, phrases)),
    similarTerms: (terms, limit) => read((db) => words.similarTerms(db, terms, limit)),
    termsStartingWith: (prefix, limit) => read((db) => words.termsStartingWith(db, prefix, limit)),
  } satisfies Partial<DocumentStore>;
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

async function checkHealth({ probe }: PostgresEngine, url: string): Promise<StoreHealth> {
  const aside = await probe(HEALTH_MS, tasksSetAside).catch((thrown: unknown) =>
    toKnowledgeError(thrown),
  );
  const connected = !(aside instanceof KnowledgeError);
  const issue = connected ? setAsideIssue(aside) : messageOf(aside);
  const location = locationOf(url);
  return {
    kind: "postgres",
    connected,
    originalsAccessible: connected,
    location,
    originalsLocation: location,
    issues: issue === undefined ? [] : [issue],
    ...(!connected && aside.code === "CONFIG_INVALID" ? { refusal: aside } : {}),
  };
}
