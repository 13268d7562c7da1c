// How soon a folder of HTML can be found, and how the server behaves meanwhile.
import { stat } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../src/app.ts";
import { spent } from "./spent.ts";

const QUERIES = ["how do I change the permissions", "the flow over a wing", "パスワードを忘れた"];
const REST_MS = 3_000;
const TICK_MS = 5;
const ms = (nanoseconds: number) => Math.round(nanoseconds / 1e5) / 10;
const round = (value: number) => Number(value.toPrecision(3));

export async function measureFindable(
  app: App,
  paths: readonly string[],
  addAll: () => Promise<void>,
): Promise<Readonly<Record<string, number>>> {
  const { signal } = new AbortController();
  const search = (query: string) => app.call("knowledge-search", { query }, { signal });
  for (const query of QUERIES) await search(query);
  const idle = await loopDelay(() => sleep(REST_MS));
  const times: number[] = [];
  const state = { isAdding: true };
  const searching = async () => {
    for (let n = 0; state.isAdding; n += 1) {
      const began = performance.now();
      const { isError, payload } = await search(QUERIES[n % QUERIES.length] as string);
      if (isError) throw new Error(JSON.stringify(payload));
      times.push(performance.now() - began);
      await sleep(1_000);
    }
  };
  const adding = () =>
    addAll().finally(() => {
      state.isAdding = false;
    });
  let cost = { wallSeconds: 0, cpuSeconds: 0 };
  const busy = await loopDelay(async () => {
    cost = await spent(() => Promise.all([adding(), searching()]));
  });
  times.sort((a, b) => a - b);
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
  return {
    "HTML, MB": round(megabytes),
    "HTML, files": paths.length,
    "findable, CPU-s, searches included": round(cost.cpuSeconds),
    "findable, s": round(cost.wallSeconds),
    "findable, CPU-s a MB": round(cost.cpuSeconds / megabytes),
    "searches meanwhile": times.length,
    "searches meanwhile, p50 ms": round(times[Math.floor(times.length * 0.5)] ?? 0),
    "searches meanwhile, p99 ms": round(times[Math.floor(times.length * 0.99)] ?? 0),
    "event loop p99, ms": busy.wall,
    "event loop p99 of the idle process, ms": idle.wall,
    "event loop p99, ms of the thread's own CPU": busy.cpu,
    "event loop longest, ms of the thread's own CPU": busy.longestCpu,
  };
}

/** How late a timer is, and how much of that the thread itself was busy: on a loaded machine it also waits for a core. */
async function loopDelay(work: () => Promise<unknown>) {
  const delay = monitorEventLoopDelay({ resolution: TICK_MS });
  const own = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const used: number[] = [];
  let before = own();
  const timer = setInterval(() => {
    const now = own();
    used.push(now - before);
    before = now;
  }, TICK_MS);
  delay.enable();
  await work();
  delay.disable();
  clearInterval(timer);
  used.sort((a, b) => a - b);
  const cpu = round(used[Math.floor(used.length * 0.99)] ?? 0);
  return { wall: ms(delay.percentile(99)), cpu, longestCpu: round(used.at(-1) ?? 0) };
}
