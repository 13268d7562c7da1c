// Time and CPU of a piece of work, with all threads and child processes.
import { childrenUsage } from "./children-usage.ts";

export interface Spent {
  readonly wallSeconds: number;
  /** Of all threads and of the processes that read files. */
  readonly cpuSeconds: number;
}

export async function spent(work: () => Promise<unknown>): Promise<Spent> {
  const began = performance.now();
  const own = process.cpuUsage();
  const children = (await childrenUsage()).cpuMs;
  await work();
  const { user, system } = process.cpuUsage(own);
  const childMs = (await childrenUsage()).cpuMs - children;
  return {
    wallSeconds: (performance.now() - began) / 1000,
    cpuSeconds: (user + system) / 1e6 + childMs / 1000,
  };
}
