// What another process uses: memory, and computing time of all its threads since its start.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

export interface Usage {
  readonly residentBytes: number;
  readonly computeMs: number;
}

const PAGE_BYTES = 4096;
// Linux reports ticks of this length on every machine.
const TICK_MS = 10;

/** Undefined if the system does not report it (the heap cap and the limits by the clock still apply). */
export async function usageOf(pid: number): Promise<Usage | undefined> {
  if (process.platform === "linux") {
    // The process has just ended, or /proc is not mounted: `ps` is asked instead.
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    const usage = usageInStat(stat);
    if (usage !== undefined) return usage;
  }
  return process.platform === "win32" ? undefined : usageByPs(pid);
}

/** The program's name is in parentheses and may contain any character, so fields are counted from its end. */
function usageInStat(stat: string): Usage | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system, pages] = [fields[11], fields[12], fields[21]].map(Number);
  if (user === undefined || system === undefined || !Number.isFinite(pages)) return undefined;
  return { residentBytes: Number(pages) * PAGE_BYTES, computeMs: (user + system) * TICK_MS };
}

function usageByPs(pid: number): Promise<Usage | undefined> {
  return new Promise((resolve) => {
    execFile("ps", ["-o", "rss=,time=", "-p", String(pid)], (error, stdout) => {
      const [kilobytes, time = ""] = stdout.trim().split(/\s+/);
      const isReported = error === null && Number(kilobytes) > 0;
      const computeMs = secondsIn(time) * 1000;
      resolve(isReported ? { residentBytes: Number(kilobytes) * 1024, computeMs } : undefined);
    });
  });
}

/** "1-02:03:04" and "3:04.56" are both in use. */
function secondsIn(time: string): number {
  const [first = "", rest] = time.split("-");
  const days = rest === undefined ? 0 : Number(first);
  const clock = (rest ?? first).split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return days * 86_400 + clock;
}
