// Files a second per format beside the bare library on the same files, what a second reader adds, OCR pages a
// second, and peak memory.
//   node bench/extract.ts --data ../shared/data [--rounds 3] [--out FILE]
import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { LiteParse } from "@llamaindex/liteparse";
import { Parser } from "htmlparser2";
import { fromBufferPromise } from "yauzl";
import { openExtract } from "../src/extract/extract.ts";
import { residentBytes } from "../src/extract/memory.ts";
import { openLog } from "../src/observe/log.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    rounds: { type: "string", default: "3" },
    out: { type: "string" },
  },
});
if (values.data === undefined) throw new Error("--data DIR is needed");
const folder = join(values.data, "documents", "files");
const rounds = Number(values.rounds);
const files = (await readdir(folder)).map((name) => ({
  name,
  path: join(folder, name),
  kind: extname(name).slice(1),
}));
const ocrData = join(import.meta.dirname, "..", "ocr-data");
const say = (line: string) => void process.stdout.write(`${line}\n`);
const figures: Record<string, unknown> = {};

type File = (typeof files)[number];

function open(workers: number) {
  return openExtract({
    childUrl: new URL("../src/extract/child.ts", import.meta.url),
    ocr: { dataDir: ocrData, languages: ["eng", "jpn"] },
    log: openLog({ level: "error" }),
    workers,
  });
}

const seconds = async (run: () => Promise<unknown>) => {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1000;
};

/** What the library alone does with the file: no blocks, no Markdown, no sandbox. */
async function bare({ path, kind }: File): Promise<void> {
  const bytes = await readFile(path);
  if (kind === "pdf") {
    const options = {
      outputFormat: "markdown",
      quiet: true,
      ocrEnabled: false,
      extractLinks: false,
      imageMode: "off",
      includeComplexity: true,
    } as const;
    await new LiteParse(options).parse(bytes);
  } else if (kind === "html" || kind === "svg")
    new Parser({ ontext: () => {} }).end(bytes.toString());
  else {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      const stream = await zip.openReadStreamPromise(entry);
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      if (/\.(?:xml|rels)$/.test(entry.fileName)) {
        new Parser({ ontext: () => {} }, { xmlMode: true }).end(Buffer.concat(chunks).toString());
      }
    }
  }
}

const one = open(1);
const warm = (kind: string) =>
  files.filter((file) => file.kind === kind && file.name !== "scan-medical-report.pdf");
for (const kind of ["pdf", "docx", "pptx", "xlsx", "html", "svg"]) {
  const some = warm(kind);
  const ours = async () => {
    for (const { path, name } of some) await one.extract({ path, filename: name, forceOcr: false });
  };
  const theirs = async () => {
    for (const file of some) await bare(file);
  };
  await ours();
  await theirs();
  let [mine, yours] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round += 1) {
    mine = Math.min(mine, await seconds(ours));
    yours = Math.min(yours, await seconds(theirs));
  }
  const line = {
    files: some.length,
    perSecond: round1(some.length / mine),
    barePerSecond: round1(some.length / yours),
    ratio: round2(yours / mine),
  };
  figures[kind] = line;
  say(`${kind.padEnd(5)} ${JSON.stringify(line)}`);
}

const text = ["pdf", "docx", "pptx", "xlsx", "html"].flatMap(warm);
const batch = Array.from({ length: 4 }, () => text).flat();
const all = (extract: typeof one) => () =>
  Promise.all(
    batch.map(({ path, name }) => extract.extract({ path, filename: name, forceOcr: false })),
  );
const two = open(2);
await all(two)();
const alone = await seconds(all(one));
const both = await seconds(all(two));
figures["twoReaders"] = {
  files: batch.length,
  one: round1(batch.length / alone),
  two: round1(batch.length / both),
  ratio: round2(alone / both),
};
say(`two readers ${JSON.stringify(figures["twoReaders"])}`);
await two.close();

let peak = 0;
const children = async () => {
  const tasks = await readdir("/proc").catch(() => []);
  for (const task of tasks) {
    const parent = await readFile(`/proc/${task}/stat`, "utf8")
      .then((stat) => stat.split(") ")[1]?.split(" ")[1])
      .catch(() => undefined);
    if (parent === String(process.pid))
      peak = Math.max(peak, (await residentBytes(Number(task))) ?? 0);
  }
};
const watch = setInterval(() => void children(), 100);
const pictures = files.filter(
  ({ kind, name }) => kind === "png" || kind === "jpg" || name === "scan-medical-report.pdf",
);
let pages = 0;
const taken = await seconds(async () => {
  for (const { path, name } of pictures)
    pages += (await one.extract({ path, filename: name, forceOcr: false })).pages.length;
});
clearInterval(watch);
await one.close();
figures["ocr"] = {
  pages,
  pagesPerSecond: round2(pages / taken),
  peakReaderMb: Math.round(peak / 1e6),
  serverMb: Math.round(process.memoryUsage.rss() / 1e6),
};
say(`OCR ${JSON.stringify(figures["ocr"])}`);
if (values.out !== undefined) await writeFile(values.out, JSON.stringify(figures, null, 2));

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
