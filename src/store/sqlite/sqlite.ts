// The embedded store: one SQLite file and a folder of originals, shared safely by any number of processes.
// Nothing is opened before it is needed. One thread writes and one reads; the caller's thread blocks only on request.
import { join } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import type { Sight } from "../../domain/call/sight.ts";
import type { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import { packChunks } from "../core/packed-chunks.ts";
import { openDocumentStore, type StoreSide } from "../documents/document-store.ts";
import type { Store } from "../store.ts";
import { DATABASE_FILE } from "./connect.ts";
import { lostRead, lostWrite, mustReopen } from "./failures.ts";
import { openSharedByThreads, type SharedByThreads } from "./folder/shared-by-threads.ts";
import { openHealth } from "./health.ts";
import { openOriginalFiles } from "./originals/original-files.ts";
import type { Originals } from "./originals/originals.ts";
import { openScopesVersion } from "./scopes-version.ts";
import type { Role } from "./thread/connection.ts";
import type { Reader } from "./thread/reader.ts";
import { openRemoteOperations } from "./thread/remote-operations.ts";
import { openSameThreadCalls } from "./thread/same-thread-calls.ts";
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
  const shared = openSharedByThreads();
  const start = (role: Role) => () => {
    log.debug("store.thread-started", { role });
    const workerData: WorkerData = { role, dataDir, shared: shared.buffer };
    return startWorker(workerUrl, { workerData, name: `store-${role}` });
  };
  const logged = (toLost: (cause: unknown) => KnowledgeError) => (cause: unknown) => {
    log.error("store.thread-lost", { cause });
    return toLost(cause);
  };
  const readThread = { start: start("read"), toLost: logged(lostRead) };
  const reader =
    reads === "same-thread"
      ? openSameThreadCalls({ dataDir, shared })
      : openCalls<Reader>({ ...readThread, startsEarly: reads === "started-early" });
  const writer = openCalls<Writer>({ start: start("write"), toLost: logged(lostWrite) });
  return assembleStore({ dataDir, reader, writer, shared, log });
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
  readonly shared: SharedByThreads;
  readonly log: Log;
}

/** Builds a store on two connections, whether or not they have their own threads. */
export function assembleStore({ dataDir, log, shared, ...parts }: StoreParts): Store {
  const { reader, writer } = openReopenable(parts, async () => {
    await Promise.all([parts.reader.release(), parts.writer.release()]);
    shared.forgetLog();
    log.warn("store.reopened");
  });
  const { tasks, documents, scopes, sources } = openRemoteOperations({ reader, writer });
  const { files, store: originals, swept } = openOriginalFiles(dataDir, writer, documents);
  const follow = openDropping(files, log);
  const store: Store = {
    ...storeOn({ reader, writer }, follow),
    originals,
    scopes: {
      ...scopes,
      version: openScopesVersion(join(dataDir, DATABASE_FILE), scopes.version),
      apply: async (changes) => void (await scopes.apply(changes)),
    },
    sources,
    health: openHealth({ dataDir, reader, tasks, swept }),
    async close() {
      const closed = await Promise.allSettled([reader.close(), writer.close()]);
      for (const each of closed) if (each.status === "rejected") throw each.reason;
    },
    seenBy: (sight) => ({ ...store, ...storeOn(withSight({ reader, writer }, sight), follow) }),
  };
  return store;
}

type Threads = Pick<StoreParts, "reader" | "writer">;

/** What depends on who sees it. */
function storeOn(
  threads: Threads,
  follow: StoreSide["follow"],
): Pick<Store, "documents" | "tasks" | "refinements"> {
  const { tasks, documents, refinements } = openRemoteOperations(threads);
  const search = ((name, args, signal) =>
    threads.reader.call(name, args, { signal })) as StoreSide["search"];
  const seenBy = (sight: Sight) => storeOn(withSight(threads, sight), follow);
  return {
    documents: {
      ...openDocumentStore(documents, { pack: packChunks, follow, search }),
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

/** Deletes the files of what a change has let go. */
function openDropping(originals: Originals, log: Log): StoreSide["follow"] {
  return async (change) => {
    const began = Date.now();
    const result = await change();
    for (const hash of result?.orphans ?? []) {
      // The row is already removed; a file left behind only takes space until the next sweep.
      await originals.drop(hash, began, result?.note).catch((cause: unknown) => {
        log.warn("store.original-kept", { cause });
      });
    }
    return result;
  };
}
