// Locks on files: SQLite's own, on an empty file. They work on all platforms, and the operating system releases them when
// a process dies.
import { closeSync, existsSync, openSync } from "node:fs";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { KnowledgeError } from "../../../domain/errors.ts";
import { cannotOpen, isContention, isDamage } from "../failures.ts";
import { makeFolder } from "./files.ts";

export interface FileLock {
  release(): void;
}

/** Undefined while another process, or this one, has it. */
export function tryFileLock(path: string): FileLock | undefined {
  createLockFile(path);
  return tryLock(path, "alone");
}

export function isFileLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const lock = tryLock(path, "shared");
  lock?.release();
  return lock === undefined;
}

export function tryLock(path: string, mode: "shared" | "alone"): FileLock | undefined {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { readOnly: mode === "shared", timeout: 0 });
    if (mode === "shared") {
      connection.exec("BEGIN");
      connection.prepare("SELECT 1 FROM sqlite_schema").get();
    } else {
      // Nothing is ever committed, so the file stays empty and a crash leaves no journal.
      connection.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    }
    return keepUntilReleased(connection);
  } catch (thrown) {
    connection?.close();
    if (isContention(thrown)) return undefined;
    throw cannotLock(thrown, basename(path));
  }
}

/** A connection that nothing refers to is closed by the garbage collector, and its lock is gone. */
const heldConnections = new Set<DatabaseSync>();

function keepUntilReleased(connection: DatabaseSync): FileLock {
  heldConnections.add(connection);
  return {
    release: () => {
      connection.close();
      heldConnections.delete(connection);
    },
  };
}

/** False if there can be none. */
export function createLockFile(path: string): boolean {
  if (existsSync(path)) return true;
  try {
    makeFolder(dirname(path));
    // From now on only SQLite may open it, because closing any other descriptor would drop the locks.
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (thrown) {
    return (thrown as { code?: unknown }).code === "EEXIST";
  }
}

function cannotLock(cause: unknown, name: string): KnowledgeError {
  return new KnowledgeError("STORE_UNAVAILABLE", describeTrouble(cause, name), { cause });
}

function describeTrouble(cause: unknown, name: string): string {
  if (cannotOpen(cause))
    return `${name} in the data folder cannot be opened. Give this user the same access to it as to knowledge.db.`;
  if (isDamage(cause))
    return `${name} in the data folder should be an empty file but is not. Stop every server on this folder, then delete ${name}.`;
  return "The data folder's file system does not support locks, so servers could damage each other's data. Choose a local folder with --data-dir, or PostgreSQL with --database-url.";
}
