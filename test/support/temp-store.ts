import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { KnowledgeError } from "../../src/domain/errors.ts";
import { openSharedByThreads } from "../../src/store/sqlite/folder/shared-by-threads.ts";
import { assembleStore, openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { type Connection, openConnection } from "../../src/store/sqlite/thread/connection.ts";
import type { Reader } from "../../src/store/sqlite/thread/reader.ts";
import type { Calls, Settled } from "../../src/store/sqlite/thread/thread-rpc.ts";
import type { Writer } from "../../src/store/sqlite/thread/writer.ts";
import type { Store } from "../../src/store/store.ts";
import { shippedUrl } from "./shipped.ts";
import { silentLog } from "./silent-log.ts";
import { tempFolder } from "./temp-folder.ts";

export interface TempStore {
  readonly store: Store;
  readonly dataDir: string;
  /** Another store on the same data, as another process opens it. */
  another(): Promise<Store>;
  /** Closes every store and removes the data. */
  dispose(): Promise<void>;
}

// One for all: each log listens for the process's exit.
const log = silentLog();

/** Its threads are those that ship: they open, write, read and recover the database. */
export function openStoreAt(dataDir: string): Store {
  return openSqlite({ dataDir, workerUrl: shippedUrl("store/sqlite/thread/worker"), log });
}

/** The same in this thread, for tests of what a store decides: its threads take longer to start than it takes to test. */
export function openStoreHere(dataDir: string, run: string = randomUUID()): Store {
  const base = { dataDir, run, shared: openSharedByThreads() };
  const reader = callDirectly<Reader>(openConnection({ role: "read", ...base }));
  const writer = callDirectly<Writer>(openConnection({ role: "write", ...base }));
  return assembleStore({ dataDir, reader, writer, shared: base.shared, log });
}

/** One at a time for all stores of this thread: one that waited for another's transaction would wait for itself. */
const calls: { last: Promise<unknown> } = { last: Promise.resolve() };

// biome-ignore lint/suspicious/noExplicitAny: any function is a method, whatever it takes
function callDirectly<Methods extends Record<string, (...args: any[]) => any>>({
  serve,
  close,
}: Connection): Calls<Methods> {
  return {
    async call(name, args, options) {
      if (options?.signal?.aborted) throw new KnowledgeError("CANCELLED", "It was given up.");
      const served = calls.last.then(() => serve(name, args, options?.sight));
      calls.last = served.catch(() => {});
      return served as Promise<Settled<ReturnType<Methods[typeof name]>>>;
    },
    release: async () => close(),
    close: async () => close(),
  };
}

/** A SQLite store in a folder of its own. */
export async function tempStore(
  open: (dataDir: string) => Store = openStoreAt,
): Promise<TempStore> {
  const dataDir = tempFolder("store");
  const opened = [open(dataDir)];
  return {
    store: opened[0] as Store,
    dataDir,
    async another() {
      const store = open(dataDir);
      opened.push(store);
      return store;
    },
    async dispose() {
      await Promise.all(opened.map((store) => store.close()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
