// Whether the database that a connection has open is still the one at its path: a file that was moved, deleted or
// replaced takes writes without an error, and a restart would not find them.
import { statSync } from "node:fs";
import { KnowledgeError } from "../../../domain/errors.ts";
import { toMessage } from "../../../domain/phrases/messages.ts";
import type { LogFiles } from "./shared-by-threads.ts";

export interface OpenFile {
  /** Must take only a few microseconds, because it is checked before and after every commit. */
  isAtPath(): boolean;
  /** Another database is at the path, not merely another log. */
  isReplaced(): boolean;
  readonly log: OpenLog;
}

/** The write-ahead log, which SQLite writes into the database when the last connection closes. */
export interface OpenLog {
  readonly files: LogFiles;
  /** The database is at its path, but not its log or the log's index. */
  isLost(): boolean;
  /**
   * `alone` if it was deleted and no process has opened the database since; `overtaken` if another process has written
   * to a new one, so the old one must no longer get into the database.
   */
  state(): "kept" | "alone" | "overtaken";
}

/**
 * Call it once the connection has read something: from then on SQLite keeps the log and its index for as long as the
 * connection is open, so each of the three stays the same file.
 */
export function rememberFile(path: string, { withLog }: { readonly withLog: boolean }): OpenFile {
  const paths = withLog ? [path, `${path}-wal`, `${path}-shm`] : [path];
  const opened = paths.map(fileAt);
  return {
    isAtPath: () => paths.every((each, at) => fileAt(each) === opened[at]),
    isReplaced: () => ![undefined, opened[0]].includes(fileAt(path)),
    log: rememberLog(path, withLog ? opened : []),
  };
}

function rememberLog(path: string, opened: readonly (string | undefined)[]): OpenLog {
  const [database, log, index] = opened;
  const isLost = () =>
    database !== undefined &&
    fileAt(path) === database &&
    (fileAt(`${path}-wal`) !== log || fileAt(`${path}-shm`) !== index);
  return {
    files: { database, log, index },
    isLost,
    state() {
      if (!isLost()) return "kept";
      const here = fileAt(`${path}-wal`);
      // With a new index, another process may have appended to the same log.
      if (here === log) return fileAt(`${path}-shm`) === undefined ? "alone" : "overtaken";
      if (here === undefined) return "alone";
      // A process that only reads leaves the new log empty; then the old one is still the latest.
      return sizeOf(`${path}-wal`) > 0 ? "overtaken" : "kept";
    },
  };
}

export function logFilesAt(path: string): LogFiles {
  return { database: fileAt(path), log: fileAt(`${path}-wal`), index: fileAt(`${path}-shm`) };
}

/** Device and inode; undefined if there is no file. */
export function fileAt(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    return undefined;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

export function movedError(): KnowledgeError {
  return new KnowledgeError("STORE_UNAVAILABLE", toMessage("moved"));
}
