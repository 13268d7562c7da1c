// Do the cited words lie inside the image that knowledge-read returns? The pixels decide: the image is read by OCR, and
// a quote counts as inside if most of its words are read there. Of a photographed receipt the same part is cut out of the
// photo, in its own resolution: what a model reads with ease is too small for OCR. Quotes: sentences of PDFs, lines of
// receipts.
//   node bench/crops.ts --data DIR [--show] [--sets receipts]      DIR/documents/files, DIR/reading/files, DIR/receipts/img
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openExtract } from "../src/extract/extract.ts";
import { openLog } from "../src/observe/log.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    show: { type: "boolean", default: false },
    files: { type: "string", default: "25" },
    sets: { type: "string", default: "PDFs,receipts" },
  },
});
const ROOT = join(import.meta.dirname, "..");
const QUOTES = 4;
const MOST_WORDS = 0.6;
const folder = mkdtempSync(join(tmpdir(), "knowledge-crops-"));
const data = resolve(values.data);
const extract = openExtract({
  childUrl: new URL("../src/extract/sandbox/child.ts", import.meta.url),
  ocr: { dataDir: join(ROOT, "ocr-data"), languages: ["eng", "jpn"] },
  log: openLog({ level: "error" }),
});
const client = new Client({ name: "crops", version: "1" });
const args = [join(ROOT, "src/main.ts"), "--data-dir", join(folder, "data"), "--root", data];
await client.connect(
  new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }),
);

interface Result {
  readonly document_id?: string;
  readonly text?: string;
  readonly image?: { readonly part: readonly number[]; readonly marked: boolean };
}

async function call(name: string, given: object) {
  const params = { name, arguments: { ...given } };
  const { content, structuredContent } = await client.callTool(params, { timeout: 300_000 });
  const [text] = content as readonly { readonly text?: string }[];
  // An image comes with text alone.
  return { content, result: (structuredContent ?? JSON.parse(text?.text ?? "{}")) as Result };
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/** Lines of plain words, spread over the text. */
function quotesOf(text: string): readonly string[] {
  const lines = text
    .split(/\n|(?<=[.!?])\s/)
    .map((line) => line.trim())
    .filter((line) => /^[A-Za-z0-9 ,.;:()'’-]{25,160}$/.test(line) && wordsOf(line).length >= 4);
  const step = Math.max(1, Math.floor(lines.length / QUOTES));
  return lines.filter((_, at) => at % step === 0).slice(0, QUOTES);
}

/** Undefined if OCR took too long, as on a busy machine. */
async function readImage(png: Buffer): Promise<string | undefined> {
  const path = join(folder, "crop.png");
  writeFileSync(path, png);
  const file = { path, filename: "crop.png", forceOcr: true, sizeBytes: statSync(path).size };
  return (await extract.extract({ ...file, caller: "bench" }).catch(() => undefined))?.text;
}

interface Crop {
  readonly isPart: boolean;
  readonly bytes: number;
  readonly isInside: boolean;
}

let unread = 0;

/** `part`: left, top, width and height in shares of the picture. */
async function cutOut(path: string, [x = 0, y = 0, width = 1, height = 1]: readonly number[]) {
  const { createCanvas, loadImage } = await import("@napi-rs/canvas");
  const picture = await loadImage(path);
  const [across, down] = [width * picture.width, height * picture.height];
  const canvas = createCanvas(Math.ceil(across), Math.ceil(down));
  canvas.getContext("2d").drawImage(picture, -x * picture.width, -y * picture.height);
  return canvas.encode("png");
}

/** Undefined if the words were not marked, or the image could not be read. */
async function crop(
  { document_id, file_path }: { readonly document_id: string; readonly file_path: string },
  quote: string,
): Promise<Crop | undefined> {
  const seen = await call("knowledge-read", { document_id, as: "image", quote });
  const blocks = seen.content as readonly { readonly data?: string }[];
  const image = blocks.find((block) => block.data)?.data;
  if (!seen.result.image?.marked || image === undefined) return undefined;
  const [, , width = 1, height = 1] = seen.result.image.part;
  const png = Buffer.from(image, "base64");
  const isPhoto = /jpg$/.test(file_path);
  const text = await readImage(isPhoto ? await cutOut(file_path, seen.result.image.part) : png);
  if (text === undefined) {
    unread += 1;
    return undefined;
  }
  const there = new Set(wordsOf(text));
  const wanted = wordsOf(quote);
  const found = wanted.filter((word) => there.has(word)).length;
  const isInside = found >= wanted.length * MOST_WORDS;
  if (!isInside && values.show) process.stdout.write(`  ${quote}: ${found} of ${wanted.length}\n`);
  return { isPart: width * height < 1, bytes: png.length, isInside };
}

async function measure(paths: readonly string[]) {
  const crops: (Crop | undefined)[] = [];
  for (const file_path of paths) {
    const { document_id } = (await call("knowledge-add", { file_path, async: false })).result;
    if (document_id === undefined) continue;
    const { result } = await call("knowledge-read", { document_id, max_chars: 50_000 });
    for (const quote of quotesOf(result.text ?? ""))
      crops.push(await crop({ document_id, file_path }, quote));
  }
  return crops;
}

const listed = async (place: string, kind: RegExp) =>
  (await readdir(join(data, place)))
    .filter((name) => kind.test(name))
    .sort()
    .slice(0, Number(values.files))
    .map((name) => join(data, place, name));
const SETS = new Map([
  [
    "PDFs",
    [...(await listed("documents/files", /pdf$/)), ...(await listed("reading/files", /pdf$/))],
  ],
  ["receipts", await listed("receipts/img", /jpg$/)],
]);
try {
  for (const [name, paths] of SETS) {
    if (!values.sets.split(",").includes(name)) continue;
    const crops = await measure(paths);
    const marked = crops.filter((each) => each !== undefined);
    const inside = marked.filter(({ isInside }) => isInside).length;
    const parts = marked.filter(({ isPart }) => isPart).length;
    const bytes = marked.reduce((sum, each) => sum + each.bytes, 0);
    const share = (inside / Math.max(1, marked.length)).toFixed(3);
    const size = Math.round(bytes / Math.max(1, marked.length) / 1024);
    process.stdout.write(
      `${name}: ${crops.length} quotes, ${marked.length} marked and read (${unread} unread so far), ${parts} cropped; words inside: ${inside} (${share}); ${size} KB on average\n`,
    );
  }
} finally {
  await client.close();
  await extract.close();
  rmSync(folder, { recursive: true, force: true });
}
