// The lock of a data folder: shared by any number of processes, exclusive for maintenance. SQLite's own locks on an
// empty file work on all platforms, and the operating system releases them when a process dies.
import { accessSync, closeSync, constants, existsSync, openSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { KnowledgeError } from "../../../domain/errors.ts";
import { cannotOpen, isContention, isDamage } from "../failures.ts";
import { refuseNewer } from "../migrate.ts";
import { makeFolder } from "./files.ts";
import { describeHolder, enterHolder, type Holder, liveHolders } from "./holders.ts";

const LOCK_FILE = "lock.db";

export interface FolderLock {
  release(): void;
}

/** For the whole life of a process, which is named to those who are refused meanwhile. */
export function lockShared(dataDir: string, command: string): FolderLock {
  refuseNewer(dataDir);
  return named(shareFolder(dataDir), dataDir, { command, alone: false });
}

/** Throws `STORE_IN_USE` while another process, or another part of this one, has the folder open. */
export function lockExclusive(dataDir: string, command: string): FolderLock {
  const path = join(dataDir, LOCK_FILE);
  if (!createLockFile(dataDir, path)) {
    throw new KnowledgeError(
      "STORE_UNAVAILABLE",
      "The data folder cannot be written to. Give this user write access to it, or choose another folder with --data-dir.",
    );
  }
  const lock = tryLock(path, "alone");
  if (!lock) throw inUse(dataDir);
  return named(lock, dataDir, { command, alone: true });
}

function named(
  lock: FolderLock,
  dataDir: string,
  who: Pick<Holder, "command" | "alone">,
): FolderLock {
  const leave = enterHolder(dataDir, who);
  return {
    release() {
      leave();
      lock.release();
    },
  };
}

/** A refused exclusive lock blocks new processes for a moment, so they retry this long. */
const LOCK_RETRY_MS = 2_000;
const STEP_MS = 20;

/**
 * Held while the database is open. A process that may not write to the folder reads it without a lock if there is
 * no lock file, or none that this user may open.
 */
export function shareFolder(dataDir: string): FolderLock {
  const path = join(dataDir, LOCK_FILE);
  if (!createLockFile(dataDir, path) || isClosedTo(dataDir, path)) return { release: () => {} };
  const deadline = performance.now() + LOCK_RETRY_MS;
  for (;;) {
    const lock = tryLock(path, "shared");
    if (lock) return lock;
    const alone = liveHolders(dataDir).find((holder) => holder.alone);
    if (alone || performance.now() > deadline) throw underMaintenance(alone);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP_MS);
  }
}

/** Does not wait: undefined during maintenance, or before the folder was first opened. */
export function shareAtOnce(dataDir: string): FolderLock | undefined {
  const path = join(dataDir, LOCK_FILE);
  return existsSync(path) ? tryLock(path, "shared") : undefined;
}

/** A lock of its own for something inside the data folder. Undefined while another process, or this one, has it. */
export function tryFileLock(path: string): FolderLock | undefined {
  createLockFile(dirname(path), path);
  return tryLock(path, "alone");
}

export function isFileLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const lock = tryLock(path, "shared");
  lock?.release();
  return lock === undefined;
}

type Mode = "shared" | "alone";

function tryLock(path: string, mode: Mode): FolderLock | undefined {
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

function keepUntilReleased(connection: DatabaseSync): FolderLock {
  heldConnections.add(connection);
  return {
    release: () => {
      connection.close();
      heldConnections.delete(connection);
    },
  };
}

function createLockFile(dataDir: string, path: string): boolean {
  if (existsSync(path)) return true;
  try {
    makeFolder(dataDir);
    // From now on only SQLite may open it, because closing any other descriptor would drop the locks.
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (thrown) {
    return (thrown as { code?: unknown }).code === "EEXIST";
  }
}

function isClosedTo(dataDir: string, path: string): boolean {
  return !isAllowed(path, constants.R_OK) && !isAllowed(dataDir, constants.W_OK);
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function inUse(dataDir: string): KnowledgeError {
  const others = liveHolders(dataDir).filter(({ pid }) => pid !== process.pid);
  const names = others.length === 0 ? "another process" : others.map(describeHolder).join(", ");
  return new KnowledgeError(
    "STORE_IN_USE",
    `The data folder is in use by ${names}. Stop it, then run this again; nothing was changed.`,
    { details: { pids: others.map(({ pid }) => pid) } },
  );
}

function underMaintenance(holder: Holder | undefined) {
  const who = holder ? describeHolder(holder) : "another process";
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    `The data folder is being restored or repaired by ${who}. Wait until it has finished, then start again.`,
    { details: holder ? { pid: holder.pid } : {} },
  );
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
