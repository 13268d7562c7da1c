// Replaces a database by a finished one, so that a crash at any moment leaves either the old files or the
// new one: never the new one next to the old one's log, and never a gap where a server would create a new one.
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { KnowledgeError } from "../../../domain/errors.ts";

/** Written when the new database is complete, removed after the swap. */
const MARK = "unfinished-repair.json";
const DATABASE = "knowledge.db";
const COMPANIONS = [`${DATABASE}-wal`, `${DATABASE}-shm`, `${DATABASE}-journal`];

/** Both inside the data folder. */
interface Names {
  readonly fresh: string;
  readonly aside: string;
}

export function refuseUnfinished(dataDir: string): void {
  if (!existsSync(join(dataDir, MARK))) return;
  throw new KnowledgeError(
    "STORE_CORRUPT",
    "A repair of this data folder was interrupted. Run `knowledge-server repair` to finish it.",
  );
}

/** The old files go to the folder `aside`, the file `fresh` becomes the database. */
export function swapIn(dataDir: string, names: Names): void {
  writeFileSync(join(dataDir, MARK), JSON.stringify(names), { mode: 0o600, flush: true });
  syncPath(dataDir);
  finishSwap(dataDir);
}

/** Finishes an interrupted swap; true if there was one. Every step can be repeated. */
export function finishSwap(dataDir: string): boolean {
  const mark = join(dataDir, MARK);
  if (!existsSync(mark)) return false;
  const names = readMark(mark);
  if (names) {
    moveAside(dataDir, names.aside);
    if (existsSync(join(dataDir, names.fresh))) {
      renameSync(join(dataDir, names.fresh), join(dataDir, DATABASE));
      syncPath(dataDir);
    }
  }
  rmSync(mark);
  syncPath(dataDir);
  return names !== undefined;
}

/** An incomplete mark was written just before a crash, so nothing has been moved yet. */
function readMark(mark: string): Names | undefined {
  try {
    return JSON.parse(readFileSync(mark, "utf8")) as Names;
  } catch {
    return undefined;
  }
}

/** Moves the log before the database: the old log next to the new database would be applied to it. */
export function moveAside(dataDir: string, aside: string): void {
  mkdirSync(join(dataDir, aside), { recursive: true, mode: 0o700 });
  for (const name of COMPANIONS) {
    if (existsSync(join(dataDir, name)))
      renameSync(join(dataDir, name), join(dataDir, aside, name));
  }
  const kept = join(dataDir, aside, DATABASE);
  if (!existsSync(kept) && existsSync(join(dataDir, DATABASE)))
    renameSync(join(dataDir, DATABASE), kept);
  syncPath(join(dataDir, aside));
  syncPath(dataDir);
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
  removeLeftOver(from);
}

/** Removes the rest of an interrupted copy. If this fails too, the copy's own error must not be hidden. */
export function removeLeftOver(part: string): void {
  for (const ending of ["", "-journal", "-wal", "-shm"]) {
    try {
      rmSync(part + ending, { recursive: true, force: true });
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
