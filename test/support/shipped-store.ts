// A SQLite store whose threads are those that ship: they open, write, read and recover the database.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { PACKAGE } from "./shipped.ts";
import { silentLog } from "./silent-log.ts";

const THREAD = pathToFileURL(join(PACKAGE, "dist", "store", "sqlite", "thread", "worker.js"));
const log = silentLog();

export function openShippedStore(dataDir: string): Store {
  return openSqlite({ dataDir, workerUrl: THREAD, log });
}
