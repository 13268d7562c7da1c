// Which processes have a data folder open: each has a file that it keeps locked, whose name says who it is. The lock of the
// folder decides; these files only name the process in a refusal.
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isFileLocked, tryFileLock } from "./file-lock.ts";

const FOLDER = "processes";
const NAME = /^(\d{1,10})-([a-z-]{1,40})-(\d{13})-(alone|shared)$/;
/** A process that has just created its file may not have locked it yet. */
const FRESH_MS = 60_000;

export interface Holder {
  readonly pid: number;
  /** The program's command: `http`, `repair`, … */
  readonly command: string;
  readonly since: string;
  /** Maintenance, which needs exclusive access. */
  readonly alone: boolean;
}

/** Returns a function that removes the entry. Writes nothing in a read-only folder. */
export function enterHolder(dataDir: string, who: Pick<Holder, "command" | "alone">): () => void {
  const { command, alone } = who;
  const name = `${process.pid}-${command}-${Date.now()}-${alone ? "alone" : "shared"}`;
  const path = join(dataDir, FOLDER, name);
  try {
    forgetDead(dataDir);
    const lock = tryFileLock(path);
    return () => {
      lock?.release();
      rmSync(path, { force: true });
    };
  } catch {
    return () => {};
  }
}

export function liveHolders(dataDir: string): readonly Holder[] {
  return entriesIn(dataDir).flatMap(({ path, holder }) => (isLive(path) ? [holder] : []));
}

export function describeHolder({ pid, command, since }: Holder): string {
  return `'knowledge-server ${command}' (process ${pid}, since ${since})`;
}

function forgetDead(dataDir: string): void {
  for (const { path } of entriesIn(dataDir)) {
    const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - FRESH_MS && !isLive(path)) rmSync(path, { force: true });
  }
}

/** Names are shown to people, so only valid ones are accepted. */
function entriesIn(dataDir: string) {
  const folder = join(dataDir, FOLDER);
  return namesIn(folder).flatMap((name) => {
    const [, pid, command = "", since, how] = NAME.exec(name) ?? [];
    if (pid === undefined) return [];
    const began = new Date(Number(since)).toISOString();
    const holder = { pid: Number(pid), command, since: began, alone: how === "alone" };
    return [{ path: join(folder, name), holder }];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The operating system unlocks the file of a process that dies. */
function isLive(path: string): boolean {
  try {
    return isFileLocked(path);
  } catch {
    return false;
  }
}
