// What adding costs, in its two stages, each beside a yardstick in the same run:
//   node bench/ingest.ts --data ../shared/data [--megabytes 20] [--documents 40] [--small 400] [--published DIR] [--out FILE]
// Findable: HTML through `knowledge-add`, with searches meanwhile, and the event loop beside an idle one.
// Refined: the model reads real pages, and a row of one-paragraph files; beside it the bare model on the same chunks, and
// the CPU of max–min semantic chunking with the same model (`--published`: with the fp32 weights in that folder).
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type App, openApp } from "../src/app.ts";
import { searchText } from "../src/chunk/chunk.ts";
import { loadConfig } from "../src/config/config.ts";
import { type Embed, openOwnEmbed } from "../src/embed/embed.ts";
import { openLog } from "../src/observe/log.ts";
import { openBareModel } from "./support/bare-model.ts";
import { openLocalModel } from "./support/cached-embed.ts";
import { measureFindable } from "./support/findable.ts";
import { htmlPages } from "./support/html-pages.ts";
import { chunkByMaxMin } from "./support/max-min.ts";
import { readRetrievalSet } from "./support/retrieval-set.ts";
import { type Spent, spent } from "./support/spent.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    megabytes: { type: "string", default: "20" },
    documents: { type: "string", default: "40" },
    small: { type: "string", default: "400" },
    published: { type: "string" },
    out: { type: "string" },
  },
});
const THREADS = 2;
const WARM_UP = 4;
// The model's second thread starts when some 20 chunks wait.
const WARM_UP_PARAGRAPHS = 24;
const MODEL_DIR = join(import.meta.dirname, "../models/all-MiniLM-L6-v2");
const log = openLog({ level: "warn" });
const { signal } = new AbortController();
const base = await mkdtemp(join(tmpdir(), "knowledge-ingest-"));

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

/** One paragraph each, a chunk or two. */
function readParagraphs(): readonly string[] {
  const { corpus } = readRetrievalSet(join(flags.data, "retrieval"), "squad-v2.0-dev", 1);
  return corpus.slice(0, Number(flags.small)).map(({ text }) => text);
}

interface Opened {
  readonly app: App;
  readonly paths: readonly string[];
}

async function openWith(name: string, ext: string, texts: Iterable<string>): Promise<Opened> {
  const folder = join(base, name);
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const text of texts) {
    const path = join(folder, `${paths.length}.${ext}`);
    paths.push(path);
    await writeFile(path, text);
  }
  const place = { env: {}, cwd: folder, home: base, platform: process.platform };
  const settings = { "data-dir": join(base, `${name}-data`), root: [folder] };
  return { app: await openApp(await loadConfig(settings, place), log), paths };
}

async function addAll(app: App, paths: readonly string[]): Promise<void> {
  const left = [...paths];
  const work = async () => {
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const { payload } = await app.call(
        "knowledge-add",
        { file_path: path, async: false },
        { signal },
      );
      if ((payload as { success: boolean }).success !== true)
        throw new Error(JSON.stringify(payload));
    }
  };
  await Promise.all(Array.from({ length: THREADS }, work));
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

async function measureRefining(name: string, texts: readonly string[], warmUp: number) {
  const { app, paths } = await openWith(name, "md", texts);
  // Readers and model threads have started before the clock does, as the bare model's have.
  await addAll(app, paths.slice(0, warmUp));
  await app.operations.refine(signal);
  const measured = paths.slice(warmUp);
  const added = await spent(() => addAll(app, measured));
  const { chunks } = await app.operations.toRefine();
  const refined = await spent(() => app.operations.refine(signal));
  const all = await textsOf(app, measured);
  await app.close();
  const bare = await spent(await openBareModel(MODEL_DIR, all.slice(0, chunks), THREADS));
  return { files: measured.length, chunks, added, refined, bare };
}

async function byMaxMin(embed: Embed, texts: readonly string[]): Promise<Spent> {
  await embed.passages(Array.from({ length: 40 }, (_, at) => `every thread is warm now ${at}`));
  const cost = await spent(async () => {
    for (const text of texts) await chunkByMaxMin(text, embed.passages);
  });
  await embed.close();
  return cost;
}

const round = (value: number) => Number(value.toPrecision(3));

function describeRefining(name: string, measured: Awaited<ReturnType<typeof measureRefining>>) {
  const { files, chunks, added, refined, bare } = measured;
  return {
    [`${name}: files`]: files,
    [`${name}: chunks that the model reads`]: chunks,
    [`${name}: the bare model, chunks/CPU-s`]: round(chunks / bare.cpuSeconds),
    [`${name}: refined, against the bare model, CPU`]: round(bare.cpuSeconds / refined.cpuSeconds),
    [`${name}: refined, against the bare model, wall`]: round(
      bare.wallSeconds / refined.wallSeconds,
    ),
    [`${name}: found and refined, against the bare model, CPU`]: round(
      bare.cpuSeconds / (added.cpuSeconds + refined.cpuSeconds),
    ),
    [`${name}: findable, CPU ms a file`]: round((1000 * added.cpuSeconds) / files),
  };
}

const html = await openWith("html", "html", htmlPages(flags.data, Number(flags.megabytes)));
// A search needs something to search, and the readers start before the clock does.
await addAll(html.app, html.paths.slice(0, WARM_UP));
const counted = html.paths.slice(WARM_UP);
const findable = await measureFindable(html.app, counted, () => addAll(html.app, counted));
await html.app.close();

const pages = readPages();
const ofPages = await measureRefining("pages", pages, WARM_UP);
const ofParagraphs = await measureRefining("paragraphs", readParagraphs(), WARM_UP_PARAGRAPHS);
const texts = pages.slice(WARM_UP);
const maxMin = await byMaxMin(openLocalModel(), texts);
const ourSeconds = ofPages.added.cpuSeconds + ofPages.refined.cpuSeconds;
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

const figures = {
  ...findable,
  ...describeRefining("pages", ofPages),
  ...describeRefining("one-paragraph files", ofParagraphs),
  "max-min chunking, CPU against ours": round(maxMin.cpuSeconds / ourSeconds),
  ...(published && {
    "max-min with fp32 weights, CPU against ours": round(published.cpuSeconds / ourSeconds),
  }),
};
for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name}: ${value}\n`);
if (flags.out) await writeFile(flags.out, JSON.stringify(figures, null, 2));
