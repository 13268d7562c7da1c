// Replaces a database by a finished one, so that a crash at any moment leaves either the old files or the
// new one: never the new one next to the old one's log, and never a gap where a server would create a new one.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KnowledgeError } from "../../../domain/errors.ts";
import { syncPath } from "./files.ts";

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
