// Only the owner can read a knowledge base: files 0600, folders 0700, regardless of the umask.
import { randomUUID } from "node:crypto";
import { chmodSync, closeSync, existsSync, linkSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const FILES = ["knowledge.db", "knowledge.db-wal", "knowledge.db-shm"];
const FOLDERS = ["originals", "incoming", "folders", "trash"];
const PRIVATE = [...FILES, ...FOLDERS];

/**
 * SQLite would create it readable by all; its log and index inherit the file's mode. It gets its name only when
 * we have closed our descriptor, because closing one later would drop the locks that another thread has on the file.
 */
export function createPrivately(path: string): void {
  if (existsSync(path)) return;
  const fresh = `${path}.${randomUUID()}.new`;
  try {
    closeSync(openSync(fresh, "wx", 0o600));
    linkSync(fresh, path);
  } catch {
    // Another process was faster, or SQLite will report why there can be no file.
  } finally {
    removeQuietly(fresh);
  }
}

/** Removes a file that is no longer needed; a failure must not hide the original error. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The file only takes up space.
  }
}

/** Only changes this user's files; the modes of other users' files are theirs to decide. */
export function restrictModes(dataDir: string): void {
  const user = process.geteuid?.();
  if (user === undefined) return;
  for (const name of PRIVATE) {
    const path = join(dataDir, name);
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found || found.uid !== user || (found.mode & 0o077) === 0) continue;
      // Only removes permissions: a file that its owner made read-only stays read-only.
      chmodSync(path, found.mode & 0o700);
    } catch {
      // The file was removed meanwhile, or the file system has no modes.
    }
  }
}
