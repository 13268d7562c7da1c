// The embedded store: one SQLite file and a folder of originals, shared safely by any number of processes.
// Nothing is opened before it is needed. One thread writes and one reads; the caller's thread blocks only on request.
import { randomUUID } from "node:crypto";
import { Worker, type WorkerOptions } from "node:worker_threads";
import type { Sight } from "../../domain/call/sight.ts";
import type { StoredDocument } from "../../domain/document.ts";
import type { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import { packChunks } from "../core/packed-chunks.ts";
import { toFoundChunk } from "../core/rows.ts";
import type { TrashNote, TrashReason } from "../core/trash.ts";
import type { DocumentRepository } from "../documents/documents.ts";
import type { ScopeRepository } from "../scopes/scopes.ts";
import type { DocumentStore, ScopeStore, Store, VectorQuery } from "../store.ts";
import { lostRead, lostWrite, mustReopen } from "./failures.ts";
import { type Known, openKnown } from "./folder/known.ts";
import { openHealth } from "./health.ts";
import { openOriginalFiles } from "./originals/original-files.ts";
import type { Originals } from "./originals/originals.ts";
import type { Role } from "./thread/connection.ts";
import { unpackHits } from "./thread/packed-hits.ts";
import type { Reader } from "./thread/reader.ts";
import { openRemote } from "./thread/remote.ts";
import { openSameThreadCalls } from "./thread/same-thread-calls.ts";
import { openSameThreadScopes, type SameThreadScopes } from "./thread/same-thread-scopes.ts";
import { type Calls, type Methods, openCalls } from "./thread/thread-rpc.ts";
import type { WorkerData } from "./thread/worker.ts";
import type { Writer } from "./thread/writer.ts";

export interface SqliteOptions {
  readonly dataDir: string;
  /** Entry point of the reading and writing threads: worker.ts or its built form. */
  readonly workerUrl: URL;
  /**
   * "same-thread": on the caller's thread, which blocks, for a process that ends after one search. "started-early":
   * the thread starts now, before it is needed.
   */
  readonly reads?: "same-thread" | "started-early";
  readonly log: Log;
}

export function openSqlite({ dataDir, workerUrl, reads, log }: SqliteOptions): Store {
  const run = randomUUID();
  const known = openKnown();
  const start = (role: Role) => (pulse: Int32Array) => {
    log.debug("store.thread-started", { role });
    const workerData: WorkerData = { role, dataDir, run, known: known.buffer, pulse };
    return startWorker(workerUrl, { workerData, name: `store-${role}` });
  };
  const logged = (toLost: (cause: unknown) => KnowledgeError) => (cause: unknown) => {
    log.error("store.thread-lost", { cause });
    return toLost(cause);
  };
  const readThread = { start: start("read"), silentMs, toLost: logged(lostRead) };
  const reader =
    reads === "same-thread"
      ? openSameThreadCalls({ dataDir, run, known })
      : openCalls<Reader>({ ...readThread, startsEarly: reads === "started-early" });
  const writer = openCalls<Writer>({ start: start("write"), silentMs, toLost: logged(lostWrite) });
  return assembleStore({ dataDir, reader, writer, known, log });
}

/**
 * How long a call may go without a heartbeat, which comes between statements. The longest statement commits or frees a
 * gigabyte, which a disk that writes 5 MB per second does in less than four minutes; an overloaded machine may take
 * twice that.
 */
const SILENT_MS = 600_000;
const silentMs = () => SILENT_MS;

// Node 22 announces `node:sqlite` as new, once per thread.
const QUIET = "--disable-warning=ExperimentalWarning";

function startWorker(url: URL, options: WorkerOptions): Worker {
  try {
    return new Worker(url, { ...options, execArgv: [...process.execArgv, QUIET] });
  } catch {
    // Threads reject flags that apply to the whole process, such as --max-old-space-size.
    return new Worker(url, { ...options, execArgv: [QUIET] });
  }
}

export interface StoreParts {
  readonly dataDir: string;
  readonly reader: Calls<Reader>;
  readonly writer: Calls<Writer>;
  readonly known: Known;
  readonly log: Log;
}

/** Builds a store on two connections, whether or not they have their own threads. */
export function assembleStore({ dataDir, log, known, ...parts }: StoreParts): Store {
  const sameThread = openSameThreadScopes(dataDir, known);
  const { reader, writer } = openReopenable(parts, async () => {
    sameThread.close();
    await Promise.all([parts.reader.release(), parts.writer.release()]);
    known.forgetLog();
    log.warn("store.reopened");
  });
  const { tasks, documents, scopes, sources } = openRemote({ reader, writer });
  const { files, store: originals, swept } = openOriginalFiles(dataDir, writer, documents);
  const drop = openDropping(files, log);
  const store: Store = {
    ...storeOn({ reader, writer }, drop),
    originals,
    scopes: openScopes(scopes, sameThread),
    sources,
    health: openHealth({ dataDir, reader, tasks, swept }),
    async close() {
      sameThread.close();
      const closed = await Promise.allSettled([reader.close(), writer.close()]);
      for (const each of closed) if (each.status === "rejected") throw each.reason;
    },
    seenBy: (sight) => ({ ...store, ...storeOn(withSight({ reader, writer }, sight), drop) }),
  };
  return store;
}

type Threads = Pick<StoreParts, "reader" | "writer">;

/** What depends on who sees it. */
function storeOn(
  threads: Threads,
  drop: DropAll,
): Pick<Store, "documents" | "tasks" | "refinements"> {
  const { tasks, documents, refinements } = openRemote(threads);
  const seenBy = (sight: Sight) => storeOn(withSight(threads, sight), drop);
  return {
    documents: {
      ...openDocuments(documents, threads.reader, drop),
      seenBy: (sight) => seenBy(sight).documents,
    },
    tasks: { ...tasks, seenBy: (sight) => seenBy(sight).tasks },
    refinements,
  };
}

/** The same calls for a caller who sees only these scopes. */
function withSight({ reader, writer }: Threads, sight: Sight): Threads {
  const seen = <Served extends Methods>(calls: Calls<Served>): Calls<Served> => ({
    ...calls,
    call: (method, args, options) => calls.call(method, args, { ...options, sight }),
  });
  return { reader: seen(reader), writer: seen(writer) };
}

/** Calls that reopen the database if its log was deleted, or if it was read-only and no longer is. */
function openReopenable(
  { reader, writer }: Pick<StoreParts, "reader" | "writer">,
  releaseAll: () => Promise<void>,
) {
  let reopening: Promise<void> | undefined;
  const reopen = () => {
    reopening ??= releaseAll().finally(() => {
      reopening = undefined;
    });
    return reopening;
  };
  const retrying = <Served extends Methods>(calls: Calls<Served>): Calls<Served> => ({
    ...calls,
    async call(method, args, options) {
      await reopening;
      try {
        return await calls.call(method, args, options);
      } catch (thrown) {
        if (!mustReopen(thrown)) throw thrown;
        await reopen();
        return calls.call(method, args, options);
      }
    },
  });
  return { reader: retrying(reader), writer: retrying(writer) };
}

type Searches =
  | "lexical"
  | "nearest"
  | "nearestWithChunks"
  | "termStatistics"
  | "phrasesIn"
  | "similarTerms"
  | "termsStartingWith";

function openDocuments(
  documents: DocumentRepository,
  reader: Calls<Reader>,
  dropAll: DropAll,
): Omit<DocumentStore, "seenBy"> {
  /** Deletes the files of what a change has let go. */
  const dropping = async <Result extends { readonly orphans: readonly string[] } | undefined>(
    change: () => Promise<Result>,
    noteOf: (result: Result) => TrashNote | undefined = () => undefined,
  ): Promise<Result> => {
    const began = Date.now();
    const result = await change();
    if (result) await dropAll(result.orphans, began, noteOf(result));
    return result;
  };
  return {
    ...documents,
    ...openSearches(reader),
    chunks: async (keys) => (await documents.chunks(keys)).map(toFoundChunk),
    chunksOf: async (id) => (await documents.chunksOf(id)).map(toFoundChunk),
    async put(document, chunks, finishes) {
      const packed = await packChunks(chunks);
      return (await dropping(() => documents.put(document, packed, finishes))).outcome;
    },
    adopt: async (id, again, finishes) =>
      (await dropping(() => documents.adopt(id, again, finishes))).outcome,
    async remove(id, why) {
      const removal = await dropping(
        () => documents.remove(id, why),
        (gone) => why && gone && toNote(gone.document, why),
      );
      return removal?.document;
    },
    clear: async (scopes) => (await dropping(() => documents.clear(scopes))).totals,
    reindex: async (id, index, chunks) => documents.reindex(id, index, await packChunks(chunks)),
  };
}

function toNote({ filename, sourcePath }: StoredDocument, why: TrashReason): TrashNote {
  return { why, filename, ...(sourcePath === undefined ? {} : { sourcePath }) };
}

type DropAll = ReturnType<typeof openDropping>;

function openDropping(originals: Originals, log: Log) {
  return async (hashes: readonly string[], sinceMs: number, note?: TrashNote): Promise<void> => {
    for (const hash of hashes) {
      // The row is already removed; a file left behind only takes space until the next sweep.
      await originals.drop(hash, sinceMs, note).catch((cause: unknown) => {
        log.warn("store.original-kept", { cause });
      });
    }
  };
}

function openSearches(reader: Calls<Reader>): Pick<DocumentStore, Searches> {
  return {
    async lexical(query, signal) {
      const { hits, statistics } = await reader.call("lexical", [query], { signal });
      return { hits: unpackHits(hits), statistics };
    },
    async nearest(query, signal) {
      return unpackHits(await reader.call("nearest", [toSendable(query)], { signal }));
    },
    async nearestWithChunks(query, read, signal) {
      const found = await reader.call("nearestWithChunks", [toSendable(query), read], { signal });
      return { hits: unpackHits(found.hits), chunks: found.chunks.map(toFoundChunk) };
    },
    termStatistics: (terms) => reader.call("termStatistics", [terms]),
    phrasesIn: (keys, phrases) => reader.call("phrasesIn", [keys, phrases]),
    similarTerms: (terms, limit) => reader.call("similarTerms", [terms, limit]),
    termsStartingWith: (prefix, limit) => reader.call("termsStartingWith", [prefix, limit]),
  };
}

/** Posting a view would copy its whole buffer, which may be a batch of embeddings. */
function toSendable(query: VectorQuery): VectorQuery {
  return { ...query, vector: query.vector.slice() };
}

/** Rules are read on the caller's thread, unless it would have to wait. */
function openScopes(remote: ScopeRepository, sameThread: SameThreadScopes): ScopeStore {
  return {
    ...remote,
    version: () => sameThread.version() ?? remote.version(),
    chain: async (id) => (await sameThread.read((scopes) => scopes.chain(id))) ?? remote.chain(id),
    async apply(changes) {
      await remote.apply(changes);
    },
  };
}
