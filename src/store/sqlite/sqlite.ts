// The embedded store: one SQLite file and a folder of originals, shared safely by any number of processes.
// Nothing is opened before it is needed. One thread writes and one reads; the caller's thread blocks only on request.
import { randomUUID } from "node:crypto";
import { Worker, type WorkerOptions } from "node:worker_threads";
import type { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import type { TrashNote } from "../core/trash.ts";
import type {
  DocumentStore,
  IndexedChunk,
  RefinementStore,
  ScopeStore,
  Store,
  TaskStore,
  VectorQuery,
} from "../store.ts";
import { openKnownId } from "./folder/known-id.ts";
import { type KnownLog, openKnownLog } from "./folder/known-log.ts";
import { openHealth } from "./health.ts";
import { openOriginalFiles } from "./originals/original-files.ts";
import type { Originals } from "./originals/originals.ts";
import { toFoundChunk } from "./rows.ts";
import { openSameThreadScopes, type SameThreadScopes } from "./scopes/same-thread-scopes.ts";
import type { Role } from "./thread/connection.ts";
import { lostRead, lostWrite, silentMs } from "./thread/deadlines.ts";
import { packParts, unpackHits } from "./thread/packed-messages.ts";
import type { Reader } from "./thread/reader.ts";
import { openReopenableCalls } from "./thread/reopenable-calls.ts";
import { openSameThreadCalls } from "./thread/same-thread-calls.ts";
import { type Calls, openCalls } from "./thread/thread-rpc.ts";
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
  const known = openKnownId();
  const knownLog = openKnownLog();
  const start = (role: Role) => (pulse: Int32Array) => {
    log.debug("store.thread-started", { role });
    const shared = { known: known.buffer, knownLog: knownLog.buffer };
    const workerData: WorkerData = { role, dataDir, run, ...shared, pulse };
    return startWorker(workerUrl, { workerData, name: `store-${role}` });
  };
  const logged = (toLost: (cause: unknown) => KnowledgeError) => (cause: unknown) => {
    log.error("store.thread-lost", { cause });
    return toLost(cause);
  };
  const readThread = { start: start("read"), silentMs, toLost: logged(lostRead) };
  const reader =
    reads === "same-thread"
      ? openSameThreadCalls({ dataDir, run, known, knownLog })
      : openCalls<Reader>({ ...readThread, startsEarly: reads === "started-early" });
  const writer = openCalls<Writer>({ start: start("write"), silentMs, toLost: logged(lostWrite) });
  return assembleStore({ dataDir, reader, writer, knownLog, log });
}

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
  readonly knownLog: KnownLog;
  readonly log: Log;
}

/** Builds a store on two connections, whether or not they have their own threads. */
export function assembleStore({ dataDir, log, ...parts }: StoreParts): Store {
  const calls = openReopenableCalls({
    ...parts,
    suspend: () => sameThread.suspend(),
    resume: () => sameThread.resume(),
    onReopened: () => log.warn("store.reopened"),
  });
  const { reader, writer } = calls;
  const { files, store: originals, swept } = openOriginalFiles(dataDir, writer);
  const sameThread = openSameThreadScopes(dataDir, {
    prepareDatabase: () => reader.call("totals", []),
    reopen: calls.reopen,
  });
  return {
    documents: openDocuments(reader, writer, files, log),
    refinements: openRefinements(reader, writer),
    originals,
    tasks: openTasks(reader, writer),
    scopes: openScopes(reader, writer, sameThread),
    health: openHealth({ dataDir, reader, swept }),
    async close() {
      sameThread.close();
      const closed = await Promise.allSettled([reader.close(), writer.close()]);
      for (const each of closed) if (each.status === "rejected") throw each.reason;
    },
  };
}

function openDocuments(
  reader: Calls<Reader>,
  writer: Calls<Writer>,
  originals: Originals,
  log: Log,
): DocumentStore {
  return { ...documentReads(reader), ...documentWrites(writer, originals, log) };
}

type Writes = "put" | "adopt" | "remove" | "clear" | "reindex";

function documentWrites(
  writer: Calls<Writer>,
  originals: Originals,
  log: Log,
): Pick<DocumentStore, Writes> {
  const dropAll = openDropping(originals, log);
  return {
    async put(document, chunks, finishes) {
      const began = Date.now();
      const stageId = await stage(writer, chunks);
      const { outcome, orphans } = await writer.call("put", [document, stageId, finishes]);
      await dropAll(orphans, began);
      return outcome;
    },
    async adopt(id, again, finishes) {
      const began = Date.now();
      const { outcome, orphans } = await writer.call("adopt", [id, again, finishes]);
      await dropAll(orphans, began);
      return outcome;
    },
    async remove(id, why) {
      const began = Date.now();
      const removal = await writer.call("remove", [id, { isAsked: why === undefined }]);
      if (removal?.orphaned) {
        const { contentHash, filename, sourcePath } = removal.document;
        const path = sourcePath === undefined ? {} : { sourcePath };
        await dropAll([contentHash], began, why && { why, filename, ...path });
      }
      return removal?.document;
    },
    async clear() {
      const began = Date.now();
      const { totals, orphans } = await writer.call("clear", []);
      await dropAll(orphans, began);
      return totals;
    },
    reindex: async (id, index, chunks) =>
      writer.call("reindex", [id, index, await stage(writer, chunks)]),
  };
}

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

async function stage(writer: Calls<Writer>, chunks: readonly IndexedChunk[]): Promise<string> {
  const stageId = randomUUID();
  for (const part of packParts(chunks)) {
    await writer.call("stage", [stageId, part], { transfer: [part.vectors.buffer] });
  }
  return stageId;
}

function documentReads(reader: Calls<Reader>): Omit<DocumentStore, Writes> {
  return {
    get: (id) => reader.call("get", [id]),
    findByHash: (hash) => reader.call("findByHash", [hash]),
    knownKeys: (keys) => reader.call("knownKeys", [keys]),
    findByPath: (path) => reader.call("findByPath", [path]),
    list: (page) => reader.call("list", [page]),
    extracted: (id) => reader.call("extracted", [id]),
    whole: (id) => reader.call("whole", [id]),
    totals: () => reader.call("totals", []),
    async lexical(query, signal) {
      const { hits, statistics } = await reader.call("lexical", [query], { signal });
      return { hits: unpackHits(hits), statistics };
    },
    async nearest(query, signal) {
      const { sent, transfer } = toSendable(query);
      return unpackHits(await reader.call("nearest", [sent], { signal, transfer }));
    },
    async nearestWithChunks(query, read, signal) {
      const { sent, transfer } = toSendable(query);
      const found = await reader.call("nearestWithChunks", [sent, read], { signal, transfer });
      return { hits: unpackHits(found.hits), chunks: found.chunks.map(toFoundChunk) };
    },
    termStatistics: (terms) => reader.call("termStatistics", [terms]),
    phrasesIn: (keys, phrases) => reader.call("phrasesIn", [keys, phrases]),
    similarTerms: (term, limit) => reader.call("similarTerms", [term, limit]),
    termsStartingWith: (prefix, limit) => reader.call("termsStartingWith", [prefix, limit]),
    chunks: async (keys) => (await reader.call("chunks", [keys])).map(toFoundChunk),
    chunksOf: (id) => reader.call("chunksOf", [id]),
    stale: (fingerprint, limit) => reader.call("stale", [fingerprint, limit]),
  };
}

/** Posting a view would copy its whole buffer, which may be a batch of embeddings. */
function toSendable(query: VectorQuery) {
  const vector = query.vector.slice();
  return { sent: { ...query, vector }, transfer: [vector.buffer] };
}

function openRefinements(reader: Calls<Reader>, writer: Calls<Writer>): RefinementStore {
  return {
    waiting: (encoders) => reader.call("refinementsWaiting", [encoders]),
    claim: (claim) => writer.call("claimRefinement", [claim]),
    storeVectors: (worker, documents) => writer.call("storeRefined", [worker, documents]),
    holders: () => reader.call("refinementHolders", []),
    release: (worker) => writer.call("releaseRefinements", [worker]),
  };
}

function openTasks(reader: Calls<Reader>, writer: Calls<Writer>): TaskStore {
  return {
    enqueue: (id, request) => writer.call("enqueue", [id, request]),
    claim: (worker, leaseMs) => writer.call("claim", [{ worker, leaseMs }]),
    claimById: (id, worker, leaseMs) => writer.call("claimById", [id, { worker, leaseMs }]),
    renew: (id, worker, leaseMs, progress) =>
      writer.call("renew", [id, { worker, leaseMs }, progress]),
    complete: (id, worker, result) => writer.call("complete", [id, worker, result]),
    fail: (id, worker, failure) => writer.call("fail", [id, worker, failure]),
    release: (id, worker) => writer.call("release", [id, worker]),
    revoke: (id, failure) => writer.call("revoke", [id, failure]),
    expire: (id, worker) => writer.call("expire", [id, worker]),
    cancel: (id) => writer.call("cancel", [id]),
    prune: (before) => writer.call("prune", [before]),
    get: (id) => reader.call("task", [id]),
    list: (options) => reader.call("taskList", [options]),
    counts: () => reader.call("taskCounts", []),
  };
}

function openScopes(
  reader: Calls<Reader>,
  writer: Calls<Writer>,
  sameThread: SameThreadScopes,
): ScopeStore {
  return {
    version: sameThread.version,
    list: () => reader.call("scopes", []),
    chain: (id, isKnown) =>
      sameThread.read(({ chain }) => chain(id, isKnown)) ?? reader.call("chain", [id]),
    // If the folder cannot be read without waiting, there is nothing to prepare.
    examples: async (limit) => sameThread.read((scopes) => scopes.examples(limit)) ?? [],
    packed: async (from) => sameThread.read((scopes) => scopes.packed(from)) ?? { scopes: [] },
    all: () => reader.call("allScopes", []),
    apply: (changes) => writer.call("apply", [changes]),
  };
}
