// Every question's phrase must stand in its document's text, on its page or sheet, and in one chunk.
//   node bench/documents.ts --data ../shared/data [--out FILE]
import { statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ChunkOptions, chunk, DEFAULT_CHUNKS } from "../src/chunk/chunk.ts";
import type { ExtractedDocument, Place } from "../src/domain/document.ts";
import { openExtract } from "../src/extract/extract.ts";
import { openLog } from "../src/observe/log.ts";

interface Question {
  readonly file: string;
  readonly phrase: string;
  readonly also: readonly string[];
  readonly page: number | null;
  readonly sheet?: string | null;
  readonly ocr: boolean;
}

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    out: { type: "string" },
    size: { type: "string" },
  },
});
if (values.data === undefined) throw new Error("--data DIR is needed");
const folder = join(values.data, "documents");
const options: ChunkOptions = {
  size: Number(values.size ?? DEFAULT_CHUNKS.size),
};
const questions = (await readFile(join(folder, "questions.jsonl"), "utf8"))
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Question);
const extract = openExtract({
  childUrl: new URL("../src/extract/sandbox/child.ts", import.meta.url),
  ocr: { dataDir: join(import.meta.dirname, "..", "ocr-data"), languages: ["eng", "jpn"] },
  log: openLog({ level: "error" }),
});

const say = (line: string) => void process.stdout.write(`${line}\n`);
const plain = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, "");
const tally = {
  text: { found: 0, placed: 0, chunk: 0, of: 0 },
  ocr: { found: 0, placed: 0, chunk: 0, of: 0 },
};

for (const [file, asked] of Map.groupBy(questions, (question) => question.file)) {
  const started = performance.now();
  const path = join(folder, "files", file);
  const document = await extract.extract({
    path,
    filename: file,
    forceOcr: false,
    sizeBytes: statSync(path).size,
    caller: "bench",
  });
  const ms = Math.round(performance.now() - started);
  say(
    `${file.padEnd(42)} ${document.method.padEnd(16)} ${String(document.text.length).padStart(7)} chars ${String(ms).padStart(6)} ms`,
  );
  for (const question of asked) score(document, question);
}
await extract.close();

const share = ({ found, placed, chunk: inChunk, of }: (typeof tally)["text"]) =>
  `found ${found}/${of}, on its page or sheet ${placed}/${of}, in one chunk ${inChunk}/${of}`;
say(`text: ${share(tally.text)}`);
say(`OCR:  ${share(tally.ocr)}`);
if (values.out !== undefined) await writeFile(values.out, JSON.stringify(tally, null, 2));

function score(document: ExtractedDocument, question: Question): void {
  const counts = question.ocr ? tally.ocr : tally.text;
  const wanted = [question.phrase, ...question.also].map(plain);
  const holds = (text: string) => wanted.every((phrase) => plain(text).includes(phrase));
  const here = ({ place }: { place: Place }) =>
    (question.page === null || place.page === question.page || place.slide === question.page) &&
    (question.sheet == null || place.sheet === question.sheet);
  const onPlace = document.blocks
    .filter(here)
    .map((block) => document.text.slice(block.start, block.end))
    .join("\n");
  const chunks = chunk(document, options).filter(
    (made) => here(made) || (made.until && here({ place: made.until })),
  );
  counts.of += 1;
  const found = holds(document.text);
  const placed = holds(onPlace);
  const inChunk = chunks.some((made) => holds(made.text));
  counts.found += Number(found);
  counts.placed += Number(placed);
  counts.chunk += Number(inChunk);
  if (placed && inChunk) return;
  const missed = found ? "elsewhere" : "MISSED";
  const phrases = [question.phrase, ...question.also].join(" + ");
  say(`  ${placed ? "in no single chunk" : missed}: ${phrases}`);
}
