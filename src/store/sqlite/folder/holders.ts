// Which processes have a data folder open: one small file per process. The lock decides; these files only name the
// process in a refusal, so one left by a killed process does no harm.
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

const FOLDER = "processes";

export interface Holder {
  readonly pid: number;
  /** The program's command: `http`, `repair`, … */
  readonly command: string;
  readonly since: string;
  /** Maintenance, which needs exclusive access. */
  readonly alone: boolean;
}

interface Entry extends Holder {
  /** The PID namespace: containers on one host cannot see each other's process ids. */
  readonly space: string;
  /** Start time of the process by the kernel's clock, because process ids are reused. */
  readonly started: string;
}

/** Returns a function that removes the entry. Writes nothing in a read-only folder. */
export function enterHolder(dataDir: string, who: Pick<Holder, "command" | "alone">): () => void {
  const folder = join(dataDir, FOLDER);
  const path = join(folder, `${process.pid}-${randomUUID().slice(0, 8)}.json`);
  const entry: Entry = {
    ...who,
    pid: process.pid,
    since: new Date().toISOString(),
    space: processSpace(),
    started: startOf(process.pid) ?? "",
  };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    forgetDead(folder);
    writeFileSync(path, JSON.stringify(entry), { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => {
    try {
      rmSync(path, { force: true });
    } catch {
      // It names a process that has ended; the next one removes it.
    }
  };
}

export function liveHolders(dataDir: string): readonly Holder[] {
  return readEntries(join(dataDir, FOLDER))
    .map(({ entry }) => entry)
    .filter((entry) => entry !== undefined && !isDead(entry)) as readonly Holder[];
}

export function describeHolder({ pid, command, since }: Holder): string {
  return `'knowledge-server ${command}' (process ${pid}, since ${since})`;
}

function forgetDead(folder: string): void {
  for (const { name, entry } of readEntries(folder)) {
    if (entry && isDead(entry)) rmSync(join(folder, name), { force: true });
  }
}

function readEntries(folder: string) {
  try {
    return readdirSync(folder).map((name) => ({ name, entry: readEntry(join(folder, name)) }));
  } catch {
    return [];
  }
}

function readEntry(path: string): Entry | undefined {
  try {
    const read = JSON.parse(readFileSync(path, "utf8")) as Partial<Entry>;
    if (typeof read.pid !== "number" || typeof read.command !== "string") return undefined;
    const { pid, since = "", alone = false, space = "", started = "" } = read;
    // Shown to people, so only valid entries are accepted.
    const command = read.command.replace(/[^a-z-]/g, "");
    return { pid, command, since: since.replace(/[^\dTZ:.-]/g, ""), alone, space, started };
  } catch {
    return undefined;
  }
}

/** True only if it is certain: same machine, and no such process or its id was reused. */
function isDead({ pid, space, started }: Entry): boolean {
  if (space !== processSpace()) return false;
  const now = startOf(pid);
  if (now !== undefined && started !== "") return now !== started;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function processSpace(): string {
  try {
    return `${hostname()}/${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** Linux only: state and start time, read after the name, which may contain spaces and brackets. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "ended" : fields[19];
  } catch {
    return undefined;
  }
}
