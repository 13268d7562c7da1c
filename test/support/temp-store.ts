import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLog } from "../../src/observe/log.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";

export const STORE_WORKER = new URL("../../src/store/sqlite/worker.ts", import.meta.url);

export interface TempStore {
  readonly store: Store;
  readonly dataDir: string;
  /** Another store on the same data, as another process opens it. */
  another(): Promise<Store>;
  /** Closes every store and removes the data. */
  dispose(): Promise<void>;
}

export function openStoreAt(dataDir: string): Store {
  return openSqlite({ dataDir, workerUrl: STORE_WORKER, log: openLog({ level: "silent" }) });
}

/** A SQLite store in a folder of its own. */
export async function tempStore(): Promise<TempStore> {
  const dataDir = await mkdtemp(join(tmpdir(), "knowledge-store-"));
  const opened = [openStoreAt(dataDir)];
  return {
    store: opened[0] as Store,
    dataDir,
    async another() {
      const store = openStoreAt(dataDir);
      opened.push(store);
      return store;
    },
    async dispose() {
      await Promise.all(opened.map((store) => store.close()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
