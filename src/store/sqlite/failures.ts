// What SQLite and the file system say, in the words of the catalogue.
import { KnowledgeError } from "../../domain/errors.ts";

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

export function sqliteCode(thrown: unknown): number | undefined {
  const code = (thrown as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code : undefined;
}

/** Another connection is in the way; the same statement works a moment later. */
export function isContention(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code !== undefined && ((code & 0xff) === BUSY || (code & 0xff) === LOCKED);
}

export function cannotOpen(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code !== undefined && ((code & 0xff) === CANTOPEN || (code & 0xff) === READONLY);
}

export function toStoreError(thrown: unknown): unknown {
  if (thrown instanceof KnowledgeError) return thrown;
  const code = sqliteCode(thrown);
  if (code !== undefined) return fromSqlite(code, thrown);
  const system = (thrown as { code?: unknown } | null)?.code;
  if (system === "ENOSPC" || system === "EDQUOT" || system === "EFBIG") return full(thrown);
  if (system === "EROFS" || system === "EACCES" || system === "EPERM") return readOnly(thrown);
  if (system === "ENOENT" || system === "ENOTDIR" || system === "EIO") return unreachable(thrown);
  return thrown;
}

export function readOnly(cause?: unknown): KnowledgeError {
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    "The data folder cannot be written to, so nothing can be added or changed; searching works. Give the server's user write access to it, or choose another folder with --data-dir.",
    cause === undefined ? {} : { cause },
  );
}

export function damaged(cause?: unknown): KnowledgeError {
  return new KnowledgeError(
    "STORE_CORRUPT",
    "The database file knowledge.db is damaged. Stop every server on this data folder, then run `knowledge-server repair`, which saves what can be read and fills in the rest from the originals, or restore a backup into an empty folder (`knowledge-server restore`).",
    cause === undefined ? {} : { cause },
  );
}

/** Only this is damage: whatever else keeps a database from being opened leaves it sound. */
export function isDamage(thrown: unknown): boolean {
  if (thrown instanceof KnowledgeError) return thrown.code === "STORE_CORRUPT";
  const code = sqliteCode(thrown);
  return code !== undefined && ((code & 0xff) === CORRUPT || (code & 0xff) === NOTADB);
}

/** The machine's fault, not the file's: reading the same again may work, so nothing counts as lost. */
export function isTrouble(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code !== undefined && [BUSY, LOCKED, NOMEM, IOERR, FULL, CANTOPEN].includes(code & 0xff);
}

function unreachable(cause: unknown): KnowledgeError {
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    "The data folder could not be read or written. Check that it exists, that the server's user may write to it, and that its disk is well.",
    { cause },
  );
}

function full(cause: unknown): KnowledgeError {
  return new KnowledgeError(
    "STORE_FULL",
    "The disk that holds the data folder is full; nothing was changed. Free some space and try again.",
    { cause },
  );
}

function fromSqlite(code: number, cause: unknown): unknown {
  if (code === IOERR_SHMSIZE) return full(cause);
  switch (code & 0xff) {
    case FULL:
      return full(cause);
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
      return unreachable(cause);
    default:
      return cause;
  }
}
