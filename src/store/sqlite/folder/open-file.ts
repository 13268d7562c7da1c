// Whether the database that a connection has open is still the one at its path: a file that was moved, deleted or
// replaced takes writes without an error, and a restart would not find them.
import { statSync } from "node:fs";
import { KnowledgeError } from "../../../domain/errors.ts";
import { describeNotice } from "../../../domain/phrases/notices.ts";

export interface OpenFile {
  /** Takes a few microseconds, because it is checked before and after every commit. */
  isAtPath(): boolean;
  /** Another database is at the path, not merely another log. */
  isReplaced(): boolean;
}

/**
 * To be called once the connection has read: from then on SQLite keeps the log and its index for as long as the
 * connection is open, so each of the three stays the same file.
 */
export function rememberFile(path: string, { withLog }: { readonly withLog: boolean }): OpenFile {
  const paths = withLog ? [path, `${path}-wal`, `${path}-shm`] : [path];
  const opened = paths.map(fileAt);
  return {
    isAtPath: () => paths.every((each, at) => fileAt(each) === opened[at]),
    isReplaced: () => ![undefined, opened[0]].includes(fileAt(path)),
  };
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

export function movedError(): KnowledgeError {
  return new KnowledgeError("STORE_UNAVAILABLE", describeNotice("moved"));
}
