// Only the owner can read a knowledge base: files 0600, folders 0700, regardless of the umask.
import { randomUUID } from "node:crypto";
import { chmodSync, closeSync, existsSync, linkSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const FILES = ["knowledge.db", "knowledge.db-wal", "knowledge.db-shm"];
const FOLDERS = ["originals", "incoming", "folders", "trash"];
const PRIVATE = [...FILES, ...FOLDERS];

/**
 * SQLite would create it readable by all; its log and index take over the file's mode. It appears under its name when
 * no descriptor of ours is open any more: closing one would drop the locks that another thread has on the file.
 */
export function createPrivately(path: string): void {
  if (existsSync(path)) return;
  const fresh = `${path}.${randomUUID()}.new`;
  try {
    closeSync(openSync(fresh, "wx", 0o600));
    linkSync(fresh, path);
  } catch {
    // Another process was quicker, or SQLite says why there can be no file.
  } finally {
    removeQuietly(fresh);
  }
}

/** A file that nobody needs any more: that it cannot be removed must not hide what else went wrong. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It only takes up its space.
  }
}

/** Only what belongs to this user: others' files are theirs to open or close. */
export function tighten(dataDir: string): void {
  const user = process.geteuid?.();
  if (user === undefined) return;
  for (const name of PRIVATE) {
    const path = join(dataDir, name);
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found || found.uid !== user || (found.mode & 0o077) === 0) continue;
      // Nothing is opened: what its owner made read-only stays so.
      chmodSync(path, found.mode & 0o700);
    } catch {
      // A file that left meanwhile, or a file system without modes.
    }
  }
}
