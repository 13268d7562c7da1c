// The server store: one PostgreSQL with pgvector, any number of servers and workers on it. Nothing connects
// before it is needed, so an unavailable database makes calls fail but not the start.
import { tmpdir } from "node:os";
import type { Sight } from "../../domain/call/sight.ts";
import type { Metadata } from "../../domain/document.ts";
import { KnowledgeError, messageOf, toKnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import type { Log } from "../../observe/log.ts";
import { packChunks } from "../core/packed-chunks.ts";
import { setAsideIssue } from "../core/read-task.ts";
import { openDocumentStore, type StoreSide } from "../documents/document-store.ts";
import {
  type DocumentRepository,
  openDocuments as openRepository,
} from "../documents/documents.ts";
import { openSearches } from "../documents/searches.ts";
import { openRefinements } from "../refinements.ts";
import { openScopes } from "../scopes/scopes.ts";
import { openSources } from "../sources.ts";
import type { NewDocument, ScopeStore, Store, StoreHealth, TaskStore } from "../store.ts";
import { openTasks, tasksSetAside } from "../tasks.ts";
import { openWords } from "../words/words.ts";
import { type BucketOptions, type Objects, openObjects, openRemoval } from "./bucket.ts";
import { locationOf } from "./connection.ts";
import { openDatabase } from "./database.ts";
import { openEngine, type PostgresEngine } from "./engine.ts";
import { openOriginals, removeOriginals } from "./originals.ts";
import { ScopesVersion } from "./scopes-version.ts";
import { storable, storableJson } from "./text.ts";
import { findAllowed, openVectorIndexes, searchNearest, VECTOR_ROWS } from "./vectors.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=verify-full` */
  readonly url: string;
  /** Its streaming replicas, which searches and lists are read from. */
  readonly readUrls?: readonly string[];
  readonly log: Log;
  /** The knowledge base's name: one database can hold several, isolated from each other. */
  readonly base?: string;
  readonly poolSize?: number;
  readonly connectTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
  /** How long a call waits for an unavailable database before it fails. */
  readonly retryForMs?: number;
  /** Where new originals are kept; absent: in the database. */
  readonly originals?: BucketOptions;
  /** Where originals are put while a parser reads them. */
  readonly tempDir?: string;
  /** Memory for the postings of frequent terms. */
  readonly cacheBytes?: number;
}

const DEFAULTS = {
  base: "default",
  readUrls: [],
  poolSize: 8,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 30_000,
  retryForMs: 10_000,
  cacheBytes: 48 * 1024 * 1024,
  tempDir: tmpdir(),
  originals: { region: "" },
};
/** A health check must not wait for a database that does not respond. */
const HEALTH_MS = 1_500;

export function openPostgres(options: PostgresOptions): Store {
  const settings = { ...DEFAULTS, ...options };
  const database = openDatabase(settings);
  const engine = openEngine(database);
  const version = new ScopesVersion(database, settings);
  const words = openWords(settings.cacheBytes);
  const objects = openObjects(settings.originals);
  const removal = openRemoval(engine, objects, settings.log);
  const parts = { changed: removal.nudge, words, needIndex: openVectorIndexes(engine) };
  const store: Store = {
    ...storeOn(engine, parts),
    originals: openOriginals(engine, { tempDir: settings.tempDir, objects, removal }),
    scopes: openFollowedScopes(engine, version),
    sources: openSources(engine),
    health: () => checkHealth(engine, objects, settings),
    async close() {
      objects.close();
      await removal.idle();
      await version.close();
      await database.close();
    },
    seenBy: (sight) => ({ ...store, ...storeOn(engine.seenBy(sight), parts) }),
  };
  return store;
}

/** What the store has in memory, for all callers. */
interface DocumentParts {
  /** Called after every change. */
  readonly changed: () => void;
  readonly words: ReturnType<typeof openWords>;
  readonly needIndex: ReturnType<typeof openVectorIndexes>;
}

/** What depends on who sees it. */
function storeOn(
  engine: PostgresEngine,
  parts: DocumentParts,
): Pick<Store, "documents" | "tasks" | "refinements"> {
  const seenBy = (sight: Sight) => storeOn(engine.seenBy(sight), parts);
  return {
    documents: { ...openDocuments(engine, parts), seenBy: (sight) => seenBy(sight).documents },
    tasks: { ...openFollowedTasks(engine), seenBy: (sight) => seenBy(sight).tasks },
    refinements: openRefinements(engine, VECTOR_ROWS),
  };
}

/** Whoever sees that a task is done expects to find its document, which another process may have stored. */
function openFollowedTasks(engine: PostgresEngine): Omit<TaskStore, "seenBy"> {
  const tasks = openTasks(engine);
  return {
    ...tasks,
    async get(id) {
      const found = await tasks.get(id);
      engine.replicas.note();
      return found;
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

function openDocuments(engine: PostgresEngine, { changed, words, needIndex }: DocumentParts) {
  const parts = { vectors: VECTOR_ROWS, removeOriginals };
  const documents = openRepository(engine, parts);
  const copies = openRepository(engine.copies, parts);
  const { get, list, extracted, knownKeys, totals, chunks, chunksOf } = copies;
  const repository: DocumentRepository = {
    ...documents,
    ...{ get, list, extracted, knownKeys, totals, chunks, chunksOf },
    put: (document, packed, finishes) => documents.put(toStorable(document), packed, finishes),
  };
  const searches = openSearches(engine.copies, {
    words,
    nearest: searchNearest,
    allowed: findAllowed,
  });
  return openDocumentStore(repository, {
    search: ((name: keyof typeof searches, args: readonly unknown[], signal?: AbortSignal) =>
      abortable(signal, () => (searches[name] as Search)(...args))) as StoreSide["search"],
    async pack(given) {
      const packed = await packChunks(given);
      await needIndex(packed.dimensions);
      return packed;
    },
    async follow(change) {
      const result = await change();
      changed();
      return result;
    },
  });
}

type Search = (...args: readonly unknown[]) => Promise<unknown>;

/** Text and chunks are stored in different columns, and must stay the same. */
function toStorable(document: NewDocument): NewDocument {
  const { extracted, metadata } = document;
  return {
    ...document,
    metadata: storableJson(metadata) as Metadata,
    extracted: { ...extracted, text: storable(extracted.text) },
  };
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

async function checkHealth(
  { probe, replicas }: PostgresEngine,
  objects: Objects,
  { url, readUrls }: Required<Pick<PostgresOptions, "url" | "readUrls">>,
): Promise<StoreHealth> {
  const [aside, bucket] = await Promise.all([
    probe(HEALTH_MS, tasksSetAside).catch((thrown: unknown) => toKnowledgeError(thrown)),
    objects.problem(HEALTH_MS),
  ]);
  const connected = !(aside instanceof KnowledgeError);
  const issue = connected ? setAsideIssue(aside) : messageOf(aside);
  const missing = connected ? await replicas.unusable(HEALTH_MS) : 0;
  const copies = missing > 0 ? toMessage("replicasUnusable", missing, readUrls.length) : undefined;
  const location = locationOf(url);
  return {
    kind: "postgres",
    connected,
    originalsAccessible: connected && bucket === undefined,
    location,
    originalsLocation: objects.place ?? location,
    issues: [issue, bucket, copies].filter((each) => each !== undefined),
    ...(!connected && aside.code === "CONFIG_INVALID" ? { refusal: aside } : {}),
  };
}
