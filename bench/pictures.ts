// Drawn pictures of the kinds that people add, read by OCR: how many words and whole lines come back, at what CPU cost.
//   node bench/pictures.ts --dir DIR [--seed 1] [--each 4] [--only KIND,KIND] [--languages eng,jpn] [--data-dir DIR] [--show]
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { toPicture } from "../src/extract/image/image.ts";
import { openOcr } from "../src/extract/image/ocr/ocr.ts";
import { DEFAULT_LIMITS } from "../src/extract/limits.ts";
import { openBrowser } from "../test/support/browser.ts";
import { type Drawing, draw, drawn } from "./pictures/draw.ts";
import { KINDS } from "./pictures/kinds.ts";
import { openPick } from "./pictures/words.ts";

const { values } = parseArgs({
  options: {
    dir: { type: "string" },
    seed: { type: "string", default: "1" },
    each: { type: "string", default: "4" },
    only: { type: "string" },
    languages: { type: "string", default: "eng,jpn" },
    "data-dir": { type: "string" },
    show: { type: "boolean", default: false },
  },
});
if (values.dir === undefined) throw new Error("--dir DIR is needed: pictures are drawn there once");
const folder = values.dir;
await mkdir(folder, { recursive: true });
const print = (line: string) => process.stdout.write(`${line}\n`);
const names = values.only?.split(",") ?? Object.keys(KINDS);
const ocr = await openOcr(
  {
    dataDir: join(import.meta.dirname, "..", "ocr-data"),
    languages: values.languages.split(","),
    ...(values["data-dir"] === undefined ? {} : { moreDataDir: values["data-dir"] }),
  },
  () => {},
);

interface Score {
  readonly wanted: number;
  readonly read: number;
  readonly found: number;
  readonly lines: number;
  readonly wholeLines: number;
  readonly cpuSeconds: number;
}

const plain = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, "");

/** Words of letters and digits; of Japanese, pairs of characters. */
function tokens(text: string): string[] {
  const clean = text.normalize("NFKC").toLowerCase();
  const words = clean.match(/[\p{Script=Latin}\p{N}]+/gu) ?? [];
  const wide = clean.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu) ?? [];
  return [
    ...words,
    ...wide.flatMap((run) => [...run].slice(1).map((letter, at) => run[at] + letter)),
  ];
}

function common(wanted: readonly string[], read: readonly string[]): number {
  const left = new Map<string, number>();
  for (const token of read) left.set(token, (left.get(token) ?? 0) + 1);
  return wanted.filter((token) => {
    const count = left.get(token) ?? 0;
    left.set(token, count - 1);
    return count > 0;
  }).length;
}

/** What a question would ask for: a label, a row, or five words of a sentence that follow each other. */
function phrases(line: string): string[] {
  const words = line.split(/\s+/);
  if (words.length > 6)
    return words.slice(4).map((_, at) => plain(words.slice(at, at + 5).join(" ")));
  const text = plain(line);
  return text.length <= 40 ? [text] : (text.match(/.{8,12}(?=.)/gu) ?? [text]);
}

async function score({ path, lines }: Drawing): Promise<Score> {
  const picture = await toPicture(await readFile(path), DEFAULT_LIMITS);
  const before = process.cpuUsage();
  const { pieces, confidence } = await ocr.read(picture);
  const { user, system } = process.cpuUsage(before);
  const text = pieces
    .map((piece) =>
      piece.kind === "text" ? piece.text : piece.rows.map((row) => row.join(" ")).join("\n"),
    )
    .join("\n");
  const wanted = lines.flatMap(tokens);
  const read = tokens(text);
  const asked = lines.flatMap(phrases);
  const whole = asked.filter((phrase) => plain(text).includes(phrase));
  if (values.show) {
    print(`--- ${path} ${confidence.toFixed(2)}\n${text}`);
    print(`missed: ${asked.filter((phrase) => !whole.includes(phrase)).join(" | ")}`);
  }
  return {
    wanted: wanted.length,
    read: read.length,
    found: common(wanted, read),
    lines: asked.length,
    wholeLines: whole.length,
    cpuSeconds: (user + system) / 1e6,
  };
}

const browser = await openBrowser();
const all: Score[] = [];
const row = (name: string, scores: readonly Score[]) => {
  const sum = (key: keyof Score) => scores.reduce((total, each) => total + each[key], 0);
  const share = (part: number, of: number) => (of === 0 ? 0 : part / of).toFixed(3);
  print(
    `${name.padEnd(12)} words found ${share(sum("found"), sum("wanted"))}, of those read ${share(sum("found"), sum("read"))}, phrases ${share(sum("wholeLines"), sum("lines"))}, ${(sum("cpuSeconds") / scores.length).toFixed(1)} CPU-s a picture`,
  );
};
for (const name of names) {
  const scores: Score[] = [];
  for (let at = 0; at < Number(values.each); at += 1) {
    const base = join(folder, `${name}-${values.seed}-${at}`);
    const kind = KINDS[name];
    if (kind === undefined) throw new Error(`no such kind: ${name}`);
    const made =
      (await drawn(base)) ??
      (browser && (await draw(browser, kind(openPick(Number(values.seed) * 1_000 + at)), base)));
    if (made !== undefined) scores.push(await score(made));
  }
  row(name, scores);
  all.push(...scores);
}
row("all", all);
await browser?.close();
