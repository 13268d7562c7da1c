// What this process's children use, from /proc: Linux only, zeros elsewhere.
import { readdir, readFile } from "node:fs/promises";

export interface ChildrenUsage {
  readonly cpuMs: number;
  readonly largestRssBytes: number;
}

const TICK_MS = 10;
const PAGE_BYTES = 4096;

export async function childrenUsage(): Promise<ChildrenUsage> {
  const processes = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  let cpuMs = 0;
  let largestRssBytes = 0;
  for (const id of processes) {
    const stat = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
    // The command's name stands in brackets and may hold spaces; fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(fields[1]) !== process.pid) continue;
    cpuMs += (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    largestRssBytes = Math.max(largestRssBytes, Number(fields[21]) * PAGE_BYTES);
  }
  return { cpuMs, largestRssBytes };
}
