// What this process's children use, from /proc: Linux only, zeros elsewhere.
import { readdir, readFile } from "node:fs/promises";

export interface ChildrenUsage {
  /** Of those that live and those that have ended. */
  readonly cpuMs: number;
  readonly largestRssBytes: number;
}

const TICK_MS = 10;
const PAGE_BYTES = 4096;

export async function childrenUsage(): Promise<ChildrenUsage> {
  const ended = await statOf("self");
  const living = await Promise.all((await children()).map(statOf));
  const ticks = living.reduce((sum, { own }) => sum + own, ended.ofEndedChildren);
  return {
    cpuMs: ticks * TICK_MS,
    largestRssBytes: Math.max(0, ...living.map(({ rssBytes }) => rssBytes)),
  };
}

async function children(): Promise<readonly string[]> {
  const threads = await readdir("/proc/self/task").catch(() => []);
  const lists = threads.map((id) =>
    readFile(`/proc/self/task/${id}/children`, "utf8").catch(() => ""),
  );
  return (await Promise.all(lists)).join(" ").match(/\d+/g) ?? [];
}

async function statOf(id: string) {
  const stat = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
  // The command's name stands in brackets and may hold spaces; fields are counted after it.
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map((field) => Number(field) || 0);
  const at = (index: number) => fields[index] ?? 0;
  return {
    own: at(11) + at(12),
    ofEndedChildren: at(13) + at(14),
    rssBytes: at(21) * PAGE_BYTES,
  };
}
