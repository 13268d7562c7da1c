// Text files through `knowledge-add`, against the bare model on the same chunks, and against the CPU of max–min
// semantic chunking with the same model:
//   node bench/ingest.ts --data ../shared/data [--documents 40] [--published DIR] [--out FILE]
// `--published` names a folder with the model's fp32 weights, which mcp-local-rag runs by default.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type App, openApp } from "../src/app.ts";
import { searchText } from "../src/chunk/chunk.ts";
import { loadConfig } from "../src/config/config.ts";
import { type Embed, openOwnEmbed } from "../src/embed/embed.ts";
import { openLog } from "../src/observe/log.ts";
import { openBareModel } from "./support/bare-model.ts";
import { openLocalModel } from "./support/cached-embed.ts";
import { childrenUsage } from "./support/children-usage.ts";
import { chunkByMaxMin } from "./support/max-min.ts";
import { readRetrievalSet } from "./support/retrieval-set.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    documents: { type: "string", default: "40" },
    published: { type: "string" },
    out: { type: "string" },
  },
});
const THREADS = 2;
const WARM_UP = 4;
const MODEL_DIR = join(import.meta.dirname, "../models/all-MiniLM-L6-v2");
const log = openLog({ level: "warn" });
const { signal } = new AbortController();

interface Spent {
  readonly wallSeconds: number;
  /** Of all threads and of the processes that read files. */
  readonly cpuSeconds: number;
}

async function spent(work: () => Promise<unknown>): Promise<Spent> {
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

/** Real documentation, a Markdown text a page. */
function readPages(): readonly string[] {
  const { corpus } = readRetrievalSet(join(flags.data, "retrieval"), "tech-claude-docs", 1);
  const pages = new Map<string, string>();
  for (const { id, title, text } of corpus) {
    const [page = ""] = id.split("#");
    pages.set(page, `${pages.get(page) ?? ""}# ${title}\n\n${text}\n\n`);
  }
  return [...pages.values()].slice(0, Number(flags.documents));
}

async function writePages(folder: string, pages: readonly string[]): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const paths = pages.map((_, number) => join(folder, `${number}.md`));
  await Promise.all(paths.map((path, number) => writeFile(path, pages[number] ?? "")));
  return paths;
}

const call = async <Payload>(app: App, name: string, args: object): Promise<Payload> =>
  (await app.call(name, args, { signal })).payload as Payload;

async function addAll(app: App, paths: readonly string[]): Promise<void> {
  const ids = await Promise.all(
    paths.map(async (file_path) => {
      const added = await call<{ task_id: string }>(app, "knowledge-add", { file_path });
      return added.task_id;
    }),
  );
  for (const task_id of ids) {
    for (;;) {
      const task = await call<{ status: string }>(app, "knowledge-task-status", { task_id });
      if (task.status === "completed") break;
      if (task.status === "failed") throw new Error(JSON.stringify(task));
      await sleep(100);
    }
  }
}

async function textsOf(app: App, paths: readonly string[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const path of paths) {
    const file = { path, forceOcr: false };
    const read = await app.operations.extractFile(file, { signal, onProgress: () => {} });
    for (const each of read.chunks) texts.push(searchText(each, read.document));
  }
  return texts;
}

async function byMaxMin(embed: Embed, texts: readonly string[]): Promise<Spent> {
  await embed.passages(Array.from({ length: 40 }, (_, at) => `every thread is warm now ${at}`));
  const cost = await spent(async () => {
    for (const text of texts) await chunkByMaxMin(text, embed.passages);
  });
  await embed.close();
  return cost;
}

const base = await mkdtemp(join(tmpdir(), "knowledge-ingest-"));
const folder = join(base, "files");
const pages = readPages();
const files = await writePages(folder, pages);
// Readers and model threads have started before the clock does, as the bare model's have.
const [texts, paths] = [pages.slice(WARM_UP), files.slice(WARM_UP)];
const place = { env: {}, cwd: folder, home: base, platform: process.platform };
const config = await loadConfig({ "data-dir": join(base, "data"), root: [folder] }, place);
const app = await openApp(config, log);
await app.startWork();
await addAll(app, files.slice(0, WARM_UP));
const ours = await spent(() => addAll(app, paths));
const chunks = await textsOf(app, paths);
await app.close();

const go = await openBareModel(MODEL_DIR, chunks, THREADS);
const bare = await spent(go);
const maxMin = await byMaxMin(openLocalModel(), texts);
const published =
  flags.published === undefined
    ? undefined
    : await byMaxMin(
        await openOwnEmbed({
          kind: "local",
          modelDir: flags.published,
          workerUrl: new URL("../src/embed/onnx/worker.ts", import.meta.url),
          workers: THREADS,
          idleMs: 60_000,
          log,
        }),
        texts,
      );
await rm(base, { recursive: true, force: true });

const round = (value: number) => Number(value.toPrecision(3));
const figures = {
  documents: paths.length,
  chunks: chunks.length,
  "bare model, chunks/s": round(chunks.length / bare.wallSeconds),
  "knowledge-add, chunks/s": round(chunks.length / ours.wallSeconds),
  "against the bare model, wall": round(bare.wallSeconds / ours.wallSeconds),
  "against the bare model, CPU": round(bare.cpuSeconds / ours.cpuSeconds),
  "knowledge-add, CPU ms a document": round((1000 * ours.cpuSeconds) / paths.length),
  "max-min chunking, CPU ms a document": round((1000 * maxMin.cpuSeconds) / paths.length),
  "max-min against ours": round(maxMin.cpuSeconds / ours.cpuSeconds),
  ...(published && {
    "max-min with fp32 weights, CPU ms a document": round(
      (1000 * published.cpuSeconds) / paths.length,
    ),
    "max-min with fp32 weights against ours": round(published.cpuSeconds / ours.cpuSeconds),
  }),
};
for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name}: ${value}\n`);
if (flags.out) await writeFile(flags.out, JSON.stringify(figures, null, 2));
