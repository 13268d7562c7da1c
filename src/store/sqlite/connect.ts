// A bare connection to knowledge.db: read-write if that is allowed, otherwise read-only.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { KnowledgeError } from "../../domain/errors.ts";
import { openPathGlob } from "../../text/patterns/glob.ts";
import { cannotOpen, isContention, isFull, toStoreError } from "./failures.ts";
import { createPrivately, makeFolder, restrictModes } from "./folder/files.ts";
import { openReadOnly } from "./older-node.ts";
import { retryWhileLocked } from "./retry-while-locked.ts";

export const DATABASE_FILE = "knowledge.db";

export function connect(dataDir: string): ReadOnly & { readonly writable: boolean } {
  const path = join(dataDir, DATABASE_FILE);
  try {
    makeFolder(dataDir);
    createPrivately(path);
    const connection = new DatabaseSync(path, { timeout: 0 });
    try {
      // Each of these reads the schema, which another process may be locking.
      retryWhileLocked(() => {
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
    restrictModes(dataDir);
    return { connection, writable: true };
  } catch (thrown) {
    const system = (thrown as { code?: unknown }).code;
    const isReadable = cannotOpen(thrown) || system === "EROFS" || system === "EACCES";
    // A full disk is not read-only: the next call tries again, because there may be space by then.
    if (isReadable && !isFull(dataDir)) {
      return { ...retryWhileLocked(() => connectReadOnly(dataDir, thrown)), writable: false };
    }
    throw toStoreError(thrown, dataDir);
  }
}

/** Whether this user may write to all files of a database that could only be opened read-only. */
export function mayWrite(dataDir: string): boolean {
  const path = join(dataDir, DATABASE_FILE);
  const beside = [`${path}-wal`, `${path}-shm`].filter((each) => existsSync(each));
  try {
    for (const each of [dataDir, path, ...beside]) accessSync(each, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export interface ReadOnly {
  readonly connection: DatabaseSync;
  /** Only for a file that was opened as immutable: true once another process has changed it. */
  readonly isOutdated?: () => boolean;
}

/**
 * Throws `cause` as an error of the catalogue if the file cannot be read either, and SQLite's own error while it is
 * locked.
 */
export function connectReadOnly(dataDir: string, cause: unknown): ReadOnly {
  const path = join(dataDir, DATABASE_FILE);
  for (const isImmutable of [false, true]) {
    // Changes that are only in the log would be missing without any error.
    if (isImmutable && sizeOf(`${path}-wal`) > 0) throw needsRecovery(cause);
    const before = stateOf(path);
    const connection = tryReadOnly(path, isImmutable);
    if (connection === undefined) continue;
    return isImmutable
      ? { connection, isOutdated: () => stateOf(path) !== before }
      : { connection };
  }
  throw toStoreError(cause);
}

/**
 * A WAL database in a folder where its -shm file cannot be created is only readable as immutable. Another process may
 * still be allowed to write there.
 */
function tryReadOnly(path: string, isImmutable: boolean): DatabaseSync | undefined {
  let connection: DatabaseSync | undefined;
  try {
    connection = openReadOnly(
      new URL(pathToFileURL(path).href + (isImmutable ? "?immutable=1" : "")),
    );
    connection.prepare("SELECT 1 FROM sqlite_schema").get();
    tune(connection);
    return connection;
  } catch (thrown) {
    connection?.close();
    // Another process is writing there, so the file is not immutable.
    if (isContention(thrown)) throw thrown;
    return undefined;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Changes with every commit of another process, which goes to the log first and to the file later. */
function stateOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return `${found?.ino} ${found?.mtimeNs} ${found?.size} ${sizeOf(`${path}-wal`)}`;
}

function needsRecovery(cause: unknown): KnowledgeError {
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    "The last changes are still in knowledge.db-wal, and reading them needs write access to the data folder. Give this user write access, or start a server that has it once.",
    { cause },
  );
}

/** For filters: whether one of the globs, as JSON, matches the path. */
function openPathMatch() {
  const last = { json: "[]", globs: [] as readonly ((path: string) => boolean)[] };
  return (path: unknown, json: unknown): number => {
    if (json !== last.json) {
      last.json = String(json);
      last.globs = (JSON.parse(last.json) as string[]).map(openPathGlob);
    }
    const slashed = String(path).replaceAll("\\", "/");
    return last.globs.some((matches) => matches(slashed)) ? 1 : 0;
  };
}

function tune(connection: DatabaseSync): void {
  // No mmap, because pages that were only scanned would count as the server's memory.
  connection.exec("PRAGMA cache_size = -16384; PRAGMA mmap_size = 0");
  connection.function("matches_path", { deterministic: true }, openPathMatch());
}
