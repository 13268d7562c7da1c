// Ingest by one and by two workers on one PostgreSQL, a core each, so that the model is the limit:
// node bench/workers.ts --data DIR [--documents 60] [--rounds 1]. Linux, with taskset.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startPostgres } from "../scripts/postgres.ts";
import { openLog } from "../src/observe/log.ts";
import { openPostgres } from "../src/store/postgres/postgres.ts";
import type { Store } from "../src/store/store.ts";
import { readSentences } from "./support/scale-corpus.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    documents: { type: "string", default: "60" },
    rounds: { type: "string", default: "1" },
  },
});

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
// Some 20 chunks of running text.
const SENTENCES = 120;
const TICKS_A_SECOND = 100;

const server = await startPostgres({ durable: true });
if (!server) process.exit(1);
const folder = mkdtempSync(join(tmpdir(), "knowledge-workers-"));
const config = join(folder, "config.json");
writeFileSync(config, JSON.stringify({ databaseUrl: server.url }));
const sentences = readSentences(flags.data).filter((text) => /^[\x20-\x7e]{40,}$/.test(text));
const store = openPostgres({ url: server.url, log: openLog({ level: "warn" }) });

/** Chunks a second of so many workers. */
async function measure(workers: number, from: number): Promise<number> {
  await store.documents.clear();
  const fleet = Array.from({ length: workers }, (_, core) => startWorker(core));
  await settle(store, await queue(from, workers * 2));
  // Each has its model and its reader by now.
  await sleep(1_500);
  const before = await store.documents.totals();
  const [databaseBefore, began] = [cpuSecondsOf("postgres"), performance.now()];
  await settle(store, await queue(from + 1_000, Number(flags.documents)));
  const seconds = (performance.now() - began) / 1_000;
  const database = cpuSecondsOf("postgres") - databaseBefore;
  const chunks = (await store.documents.totals()).chunks - before.chunks;
  for (const worker of fleet) await stop(worker);
  process.stdout.write(
    `${workers} worker(s): ${chunks} chunks in ${seconds.toFixed(1)} s, ${(chunks / seconds).toFixed(1)} a second; ` +
      `the database took ${((database * 1_000) / chunks).toFixed(1)} ms CPU a chunk\n`,
  );
  return chunks / seconds;
}

async function queue(from: number, count: number): Promise<readonly string[]> {
  const requests = [];
  for (let number = from; number < from + count; number++) {
    const start = (number * 7_919) % (sentences.length - SENTENCES);
    const text = `Report ${number}.\n\n${sentences.slice(start, start + SENTENCES).join(" ")}`;
    const contentHash = createHash("sha256").update(text).digest("hex");
    const path = join(folder, contentHash);
    writeFileSync(path, text);
    await store.originals.keep(contentHash, path);
    requests.push({ contentHash, filename: `report-${number}.txt`, sizeBytes: text.length });
  }
  const ids = requests.map(() => randomUUID());
  for (const [at, request] of requests.entries()) {
    await store.tasks.enqueue(ids[at] ?? "", { ...request, metadata: {}, forceOcr: false });
  }
  return ids;
}

async function settle({ tasks }: Store, ids: readonly string[]): Promise<void> {
  for (;;) {
    const { queued, running } = await tasks.counts();
    if (queued + running === 0) break;
    await sleep(50);
  }
  for (const id of ids) {
    const { status, failure } = (await tasks.get(id)) ?? {};
    if (status !== "completed") throw new Error(`a task ended as ${status}: ${failure?.message}`);
  }
}

function startWorker(core: number): ChildProcess {
  const program = [process.execPath, MAIN, "worker", "--config", config];
  const flagsOf = ["--data-dir", join(folder, `worker-${core}`), "--log-level", "warn"];
  return spawn("taskset", ["-c", String(core), ...program, ...flagsOf], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

async function stop(worker: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  worker.kill("SIGTERM");
  await ended;
}

/** Of the processes of this name, with those that they have outlived. */
function cpuSecondsOf(name: string): number {
  let ticks = 0;
  for (const id of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${id}/stat`, "utf8");
      if (!stat.includes(`(${name})`)) continue;
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      for (const at of [11, 12, 13, 14]) ticks += Number(fields[at]);
    } catch {
      // It has ended since.
    }
  }
  return ticks / TICKS_A_SECOND;
}

for (let round = 0; round < Number(flags.rounds); round++) {
  const one = await measure(1, round * 10_000);
  const two = await measure(2, round * 10_000 + 5_000);
  process.stdout.write(`two against one: ${(two / one).toFixed(2)} ×\n`);
}
await store.close();
await server.stop();
rmSync(folder, { recursive: true, force: true });
