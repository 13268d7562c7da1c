// Files of a data folder: only their owner can read them (files 0600, folders 0700, regardless of the umask), and what is
// synced survives a power cut.
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";

const PRIVATE = [
  ...["knowledge.db", "knowledge.db-wal", "knowledge.db-shm"],
  ...["originals", "incoming", "folders", "trash"],
];

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

/** One level at a time, because Node's recursive mkdir loops forever where a folder cannot be created (/proc). */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
    syncPath(dirname(path));
  } catch (thrown) {
    // Another process may have created it.
    if ((thrown as { code?: unknown }).code !== "EEXIST") throw thrown;
  }
}

/** Never replaces a file, even one that appeared a moment ago. */
export function renameToFree(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (thrown) {
    const code = (thrown as { code?: unknown }).code;
    if (code === "EEXIST" || existsSync(to)) throw thrown;
    // A file system without hard links.
    renameSync(from, to);
    return;
  }
  // The swap is done; a second name that cannot be removed is not a failure.
  removeQuietly(from);
}

/** Removes what an interrupted copy left, with SQLite's files beside it. A failure must not hide the original error. */
export function removeQuietly(path: string): void {
  for (const ending of ["", "-journal", "-wal", "-shm"]) {
    try {
      rmSync(path + ending, { recursive: true, force: true });
    } catch {
      // To be expected: the same disk failed a moment ago.
    }
  }
}

export function syncPath(path: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (thrown) {
    // Windows cannot sync a folder; its renames are durable anyway.
    if (process.platform === "win32") return;
    throw thrown;
  }
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
