// A bare connection to knowledge.db: read-write if that is allowed, otherwise read-only.
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { cannotOpen, isContention, isFull, toStoreError } from "./failures.ts";
import { makeFolder } from "./folder/lock.ts";
import { createPrivately, tighten } from "./folder/modes.ts";
import { openReadOnly } from "./older-node.ts";
import { patiently } from "./patiently.ts";

export const DATABASE_FILE = "knowledge.db";

export function connect(dataDir: string): { connection: DatabaseSync; writable: boolean } {
  const path = join(dataDir, DATABASE_FILE);
  try {
    makeFolder(dataDir);
    createPrivately(path);
    const connection = new DatabaseSync(path, { timeout: 0 });
    try {
      // Each of these reads the schema, which another process may be locking.
      patiently(() => {
        // Can only be set before the first table is created; it allows `reclaim` to return pages.
        connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
        connection.exec("PRAGMA journal_mode = WAL");
        connection.exec("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864");
        tune(connection);
      });
      // SQLite silently falls back to read-only.
      for (const each of [dataDir, path]) accessSync(each, constants.W_OK);
    } catch (thrown) {
      connection.close();
      throw thrown;
    }
    tighten(dataDir);
    return { connection, writable: true };
  } catch (thrown) {
    const system = (thrown as { code?: unknown }).code;
    const isReadable = cannotOpen(thrown) || system === "EROFS" || system === "EACCES";
    // A full disk is not read-only: the next call tries again, because there may be space by then.
    if (isReadable && !isFull(dataDir)) {
      const connection = patiently(() => connectReadOnly(dataDir, thrown));
      return { connection, writable: false };
    }
    throw toStoreError(thrown, dataDir);
  }
}

/** Throws `cause` as an error of the catalogue if reading is not possible either; while it is locked, SQLite's own error. */
export function connectReadOnly(dataDir: string, cause: unknown): DatabaseSync {
  const path = join(dataDir, DATABASE_FILE);
  // A WAL database in a folder where its -shm file cannot be created is only readable as immutable:
  // nobody else can be writing there, or that file would exist.
  for (const flags of ["", "?immutable=1"]) {
    let connection: DatabaseSync | undefined;
    try {
      connection = openReadOnly(new URL(pathToFileURL(path).href + flags));
      connection.prepare("SELECT 1 FROM sqlite_schema").get();
      tune(connection);
      return connection;
    } catch (thrown) {
      connection?.close();
      // Somebody is writing there, so it is not immutable.
      if (isContention(thrown)) throw thrown;
    }
  }
  throw toStoreError(cause);
}

function tune(connection: DatabaseSync): void {
  // No mmap, because pages that were only scanned would count as the server's memory.
  connection.exec("PRAGMA cache_size = -16384; PRAGMA mmap_size = 0");
}
