// CPU time per format through the sandbox, beside the same work bare: the PDF library alone, and our own readers
// called in this process. Then what a second reader adds, OCR pages a second, and peak memory.
//   node bench/extract.ts --data ../shared/data [--rounds 4] [--out FILE]
import { statSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { LiteParse } from "@llamaindex/liteparse";
import { openExtract } from "../src/extract/extract.ts";
import { DEFAULT_LIMITS } from "../src/extract/limits.ts";
import { openReaders } from "../src/extract/read.ts";
import { openLog } from "../src/observe/log.ts";
import { childrenUsage } from "./support/children-usage.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    rounds: { type: "string", default: "4" },
    out: { type: "string" },
  },
});
if (values.data === undefined) throw new Error("--data DIR is needed");
const folder = join(values.data, "documents", "files");
const rounds = Number(values.rounds);
// Bare and sandboxed take turns, so that a machine that grows slower or faster does so for both.
const TURNS = 5;
const TURN_MS = 400;
const ocr = { dataDir: join(import.meta.dirname, "..", "ocr-data"), languages: ["eng", "jpn"] };
const files = (await readdir(folder)).map((name) => ({
  path: join(folder, name),
  filename: name,
  forceOcr: false,
  sizeBytes: statSync(join(folder, name)).size,
  caller: "bench",
  kind: extname(name).slice(1),
  pictures: /\.(?:png|jpg)$|^scan-/.test(name),
}));
type File = (typeof files)[number];

const figures: Record<string, unknown> = { load: loadavg().map(Math.round) };
const open = (workers: number) =>
  openExtract({
    childUrl: new URL("../src/extract/sandbox/child.ts", import.meta.url),
    ocr,
    log: openLog({ level: "error" }),
    workers,
  });

const readers = openReaders({ ocr, limits: DEFAULT_LIMITS });
async function bare({ kind, ...request }: File): Promise<void> {
  const bytes = await readFile(request.path);
  if (kind !== "pdf") {
    await readers.read({ ...request, bytes }, { progress: () => {}, alive: () => {} });
    return;
  }
  const parser = new LiteParse({
    outputFormat: "markdown",
    imageMode: "off",
    extractLinks: false,
    includeComplexity: true,
    keepHeadersFooters: true,
    quiet: true,
    ocrEnabled: false,
  });
  await parser.parse(bytes);
}

const one = open(1);
const ownMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

interface Spent {
  cpuMs: number;
  files: number;
}

/** Whole rounds over the files, enough of them to be measured; CPU time of this process and its readers. */
async function spend(total: Spent, some: readonly File[], run: (file: File) => Promise<unknown>) {
  const children = (await childrenUsage()).cpuMs;
  const own = ownMs();
  const started = performance.now();
  for (let round = 0; round < rounds || performance.now() - started < TURN_MS; round += 1) {
    for (const file of some) await run(file);
    total.files += some.length;
  }
  total.cpuMs += ownMs() - own;
  total.cpuMs += (await childrenUsage()).cpuMs - children;
}

for (const kind of ["pdf", "docx", "pptx", "xlsx", "html", "svg"]) {
  const some = files.filter((file) => file.kind === kind && !file.pictures);
  const [bareSpent, oursSpent] = [
    { cpuMs: 0, files: 0 },
    { cpuMs: 0, files: 0 },
  ];
  const turn = async (into: readonly [Spent, Spent]) => {
    await spend(into[0], some, bare);
    await spend(into[1], some, (file) => one.extract(file));
  };
  await turn([
    { cpuMs: 0, files: 0 },
    { cpuMs: 0, files: 0 },
  ]);
  for (let at = 0; at < TURNS; at += 1) await turn([bareSpent, oursSpent]);
  const perSecond = ({ cpuMs, files: count }: Spent) => (count / cpuMs) * 1000;
  show(kind, {
    files: some.length,
    rounds: oursSpent.files / some.length,
    perCpuSecond: round(perSecond(oursSpent)),
    barePerCpuSecond: round(perSecond(bareSpent)),
    ratio: round(perSecond(oursSpent) / perSecond(bareSpent)),
  });
}

// Turn by turn, medians: on a shared machine the load changes from one second to the next.
const batch = [...files, ...files, ...files, ...files].filter((file) => !file.pictures);
const two = open(2);
const wall = async (extract: typeof one) => {
  const started = performance.now();
  await Promise.all(batch.map((file) => extract.extract(file)));
  return (performance.now() - started) / 1000;
};
const [alone, both]: [number[], number[]] = [[], []];
await wall(two);
for (let turn = 0; turn < 7; turn += 1) {
  alone.push(await wall(one));
  both.push(await wall(two));
}
show("two readers", { files: batch.length, ratio: round(median(alone) / median(both)) });
await two.close();

// A reader of its own: one that has done its share of jobs is replaced, and its CPU time with it.
await one.close();
const fresh = open(1);
let peak = 0;
const watch = setInterval(async () => {
  peak = Math.max(peak, (await childrenUsage()).largestRssBytes);
}, 100);
const before = (await childrenUsage()).cpuMs;
let pages = 0;
for (const file of files.filter(({ pictures }) => pictures))
  pages += (await fresh.extract(file)).pages.length;
const ocrMs = (await childrenUsage()).cpuMs - before;
clearInterval(watch);
show("OCR", {
  pages,
  pagesPerCpuSecond: round((pages / ocrMs) * 1000),
  peakReaderMb: Math.round(peak / 1e6),
  serverMb: Math.round(process.memoryUsage.rss() / 1e6),
});
await fresh.close();
if (values.out !== undefined) await writeFile(values.out, JSON.stringify(figures, null, 2));

function show(name: string, figure: Readonly<Record<string, number>>): void {
  figures[name] = figure;
  process.stdout.write(`${name.padEnd(12)} ${JSON.stringify(figure)}\n`);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
