// Does the server stay responsive while a long PDF is added and searches run?
//   node bench/event-loop.ts [--pages 300] [--out FILE]
// The yardstick is the same process at rest, in the same run: a busy machine delays both.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openApp } from "../src/app.ts";
import { loadConfig } from "../src/config/config.ts";
import { openLog } from "../src/observe/log.ts";
import { longPdf } from "./support/long-pdf.ts";

const { values } = parseArgs({
  options: { pages: { type: "string", default: "300" }, out: { type: "string" } },
});
const folder = await mkdtemp(join(tmpdir(), "event-loop-"));
await mkdir(join(folder, "files"));
const pdf = join(folder, "files", "long.pdf");
await writeFile(pdf, longPdf(Number(values.pages)));
const place = { env: {}, cwd: folder, home: folder, platform: process.platform };
const config = await loadConfig({ "data-dir": join(folder, "data"), root: [folder] }, place);
const app = await openApp(config, openLog({ level: "warn" }));
const { signal } = new AbortController();
const call = async (name: string, args: object) =>
  (await app.call(name, args, { signal })).payload as Record<string, unknown>;

async function measured(work: Promise<unknown>) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = performance.now();
  await work;
  delay.disable();
  const ms = (nanoseconds: number) => Math.round(nanoseconds / 1e5) / 10;
  return {
    seconds: Math.round((performance.now() - began) / 100) / 10,
    p50_ms: ms(delay.percentile(50)),
    p99_ms: ms(delay.percentile(99)),
    max_ms: ms(delay.max),
  };
}

const small = join(folder, "files", "small.txt");
await writeFile(small, "A short note about valves and pumps, so that there is something to find.");
await call("knowledge-add", { file_path: small, async: false });

const searchTimes: number[] = [];
let isAdding = true;
const searching = async () => {
  for (let n = 0; isAdding; n += 1) {
    const began = performance.now();
    await call("knowledge-search", { query: `which valve was opened at ${n % 24} h` });
    searchTimes.push(performance.now() - began);
    await sleep(50);
  }
};
const adding = async () => {
  const added = await call("knowledge-add", { file_path: pdf, async: false });
  isAdding = false;
  return added;
};

const rest = await measured(sleep(5_000));
const added = adding();
const busy = await measured(Promise.all([added, searching()]));
await app.close();
await rm(folder, { recursive: true, force: true });

searchTimes.sort((a, b) => a - b);
const at = (share: number) => Math.round(searchTimes[Math.floor(searchTimes.length * share)] ?? 0);
const figures = {
  pages: Number(values.pages),
  chunks: (await added)["chunks_created"],
  at_rest: rest,
  while_adding: busy,
  searches: { count: searchTimes.length, p50_ms: at(0.5), p99_ms: at(0.99) },
  rss_mb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
};
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
if (values.out !== undefined) await writeFile(values.out, `${JSON.stringify(figures, null, 2)}\n`);
