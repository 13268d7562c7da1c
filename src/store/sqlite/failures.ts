// Maps errors of SQLite and the file system to the catalogue.
import { accessSync, constants, statfsSync } from "node:fs";
import { fromSystem, KnowledgeError } from "../../domain/errors.ts";

const BUSY = 5;
const LOCKED = 6;
const NOMEM = 7;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
/** The shared-memory file could not grow: what a full disk looks like before the first byte is written. */
const IOERR_SHMSIZE = 4874;

function sqliteCode(thrown: unknown): number | undefined {
  const code = (thrown as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code : undefined;
}

/** Another connection holds a lock; the same statement can be retried. */
export function isContention(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code !== undefined && ((code & 0xff) === BUSY || (code & 0xff) === LOCKED);
}

export function cannotOpen(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code !== undefined && ((code & 0xff) === CANTOPEN || (code & 0xff) === READONLY);
}

/** Checks `dataDir` if SQLite does not report whether the disk is full. */
export function toStoreError(thrown: unknown, dataDir?: string): unknown {
  if (thrown instanceof KnowledgeError) return thrown;
  const code = sqliteCode(thrown);
  if (code !== undefined) {
    const isVague = (code & 0xff) === IOERR || (code & 0xff) === CANTOPEN;
    return isVague && dataDir !== undefined && isFull(dataDir)
      ? asSystem("ENOSPC", thrown)
      : fromSqlite(code, thrown);
  }
  return fromSystem(thrown, "store");
}

// Less than a database needs to open, for its shared memory and the first pages of its log.
const NEEDED_BYTES = 64 * 1024;

/** SQLite reports a file that cannot be created or synced as an I/O error. */
export function isFull(dataDir: string): boolean {
  try {
    // A read-only file system may report no free space, too, but is not full.
    accessSync(dataDir, constants.W_OK);
    const { bavail, bsize, files, ffree } = statfsSync(dataDir);
    // Some file systems do not count files.
    return bavail * bsize < NEEDED_BYTES || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}

export function damaged(cause?: unknown, file = "The database file knowledge.db"): KnowledgeError {
  return new KnowledgeError(
    "STORE_CORRUPT",
    `${file} is damaged. Stop every server on this data folder, then run \`knowledge-server repair\`, which saves what can be read and fills in the rest from the originals, or restore a backup into an empty folder (\`knowledge-server restore\`).`,
    cause === undefined ? {} : { cause },
  );
}

/** Only these codes mean damage; all other failures to open leave the database intact. */
export function isDamage(thrown: unknown): boolean {
  if (thrown instanceof KnowledgeError) return thrown.code === "STORE_CORRUPT";
  const code = sqliteCode(thrown);
  return code !== undefined && ((code & 0xff) === CORRUPT || (code & 0xff) === NOTADB);
}

/** A fault of the machine, not the file: reading again may work, so nothing counts as lost. */
export function isMachineFault(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code !== undefined && [BUSY, LOCKED, NOMEM, IOERR, FULL, CANTOPEN].includes(code & 0xff);
}

/** SQLite's codes in the operating system's terms, where they mean the same. */
const asSystem = (code: "ENOSPC" | "EROFS" | "EIO", cause?: unknown) =>
  fromSystem(Object.assign(new Error(code, { cause }), { code }), "store");

export function readOnly(cause?: unknown): unknown {
  return asSystem("EROFS", cause);
}

/**
 * All connections of the store have to be closed before one is opened again: as long as one is open, SQLite gives each
 * new one the same index of the log.
 */
export function reopenError(message: string): KnowledgeError {
  return new KnowledgeError("STORE_UNAVAILABLE", message, { details: { mustReopen: true } });
}

export function mustReopen(thrown: unknown): thrown is KnowledgeError {
  return thrown instanceof KnowledgeError && thrown.details["mustReopen"] === true;
}

export function lostLog(): KnowledgeError {
  return reopenError(
    "The database's log was deleted while it was open. The database was opened again; try once more.",
  );
}

function fromSqlite(code: number, cause: unknown): unknown {
  if (code === IOERR_SHMSIZE) return asSystem("ENOSPC", cause);
  switch (code & 0xff) {
    case FULL:
      return asSystem("ENOSPC", cause);
    case READONLY:
      return readOnly(cause);
    case CORRUPT:
    case NOTADB:
      return damaged(cause);
    case BUSY:
    case LOCKED:
      return new KnowledgeError(
        "STORE_UNAVAILABLE",
        "Another process kept the database busy for too long. Try again in a moment.",
        { cause },
      );
    case IOERR:
    case CANTOPEN:
      return asSystem("EIO", cause);
    default:
      return cause;
  }
}

export function lostRead(cause: unknown): KnowledgeError {
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    "The database did not respond. Try again; if it recurs, run `knowledge-server doctor`.",
    { cause },
  );
}

/** The write may have been committed before its thread was lost, so it must not be reported as failed. */
export function lostWrite(cause: unknown): KnowledgeError {
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    "The database did not respond, so it is unknown whether the change was stored. Check with knowledge-show or knowledge-task-status before you try again.",
    { cause, details: { outcome: "unknown" } },
  );
}
