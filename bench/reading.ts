// Files of any format against what another reader makes of them: token F1 per format, over all files and over those whose
// truth is sound, by two halves of the names (rules are chosen on the first, the second decides), and the worst files.
//   node bench/reading.ts --files DIR --want DIR [--show 5]      want: NAME.txt for each file NAME
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { openExtract } from "../src/extract/extract.ts";
import { openLog } from "../src/observe/log.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string" },
    want: { type: "string" },
    show: { type: "string", default: "5" },
  },
});
if (values.files === undefined || values.want === undefined)
  throw new Error("--files DIR and --want DIR are needed");
const { files, want } = values;
const print = (line: string) => process.stdout.write(`${line}\n`);
const extract = openExtract({
  childUrl: new URL("../src/extract/sandbox/child.ts", import.meta.url),
  ocr: { dataDir: join(import.meta.dirname, "..", "ocr-data"), languages: ["eng"] },
  log: openLog({ level: "error" }),
});

const LINKS = "has the addresses of links and pictures, which are not text";
const PICTURES = "is names of picture files";
const CUT = "leaves out most of the text";
const LATEX = "has formulas as LaTeX source";
/**
 * What is wrong with the truth of these files. Only files that scored low were looked at, so the mean without them is
 * flattered: it says what is left to gain, not how good reading is.
 */
const UNSOUND: ReadonlyMap<string, string> = new Map([
  ["hyperlink_05.html", LINKS],
  ["hip_13044_b.html", LINKS],
  ["test_wikipedia.html", LINKS],
  ["html_rich_table_cells.html", LINKS],
  ["sinthgunt.html", LINKS],
  ["links.org", LINKS],
  ["example_07.html", "says where each list ends"],
  ["having-images.docx", PICTURES],
  ["imageWithCaption.odt", PICTURES],
  ["pdfa_033.pdf", PICTURES],
  ["annotations.pdf", "repeats two words, leaves out the comment"],
  ["annotations-rotated-180.pdf", "repeats two words, leaves out the comment"],
  ["WARN-Report-for-7-1-2015-to-03-25-2016.pdf", CUT],
  ["arxiv_2206_p3.pdf", CUT],
  ["mcid_example.pdf", CUT],
  ["example_06.html", CUT],
  ["fake-encrypted.eml", CUT],
  ["pdfa_015.pdf", LATEX],
  ["equations.docx", LATEX],
  ["test.xlsx", "writes 1 as 1.0"],
  ["xlsx_01.xlsx", "writes 1 as 1.0"],
  ["xlsx_05_table_with_title.xlsx", "writes 1 as 1.0"],
  ["table_03.html", "joins the items of a list"],
]);

/** Words and numbers; ideographs one by one, because readers part them differently. */
function tokens(text: string): Map<string, number> {
  const found = text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu);
  const counts = new Map<string, number>();
  for (const token of found ?? []) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

const total = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

function beyond(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): string {
  return [...one]
    .map(([token, count]) => ({ token, more: count - (other.get(token) ?? 0) }))
    .filter(({ more }) => more > 0)
    .sort((a, b) => b.more - a.more)
    .slice(0, 14)
    .map(({ token, more }) => (more > 1 ? `${token} ×${more}` : token))
    .join(" ");
}

async function score(name: string) {
  const expected = tokens(await readFile(join(want, `${name}.txt`), "utf8"));
  const path = join(files, name);
  const sizeBytes = statSync(path).size;
  const read = await extract
    .extract({ path, filename: name, forceOcr: false, sizeBytes, caller: "bench" })
    .catch((error: unknown) => ({ text: "", failure: String(error) }));
  const found = tokens(read.text);
  const common = [...found].reduce(
    (sum, [token, count]) => sum + Math.min(count, expected.get(token) ?? 0),
    0,
  );
  const both = total(found) + total(expected);
  const f1 = both === 0 ? 1 : (2 * common) / both;
  const failure = "failure" in read ? read.failure : "";
  return { name, f1, missed: beyond(expected, found), added: beyond(found, expected), failure };
}

const names = (await readdir(want))
  .filter((name) => name.endsWith(".txt"))
  .map((name) => name.slice(0, -4));
const scores = [];
for (const name of names.sort()) scores.push(await score(name));
await extract.close();
type Scores = readonly (typeof scores)[number][];

function row(label: string, all: Scores): void {
  const mean = all.reduce((sum, { f1 }) => sum + f1, 0) / all.length;
  const below = all.filter(({ f1 }) => f1 < 0.5).length;
  print(
    `${label.padEnd(22)} ${String(all.length).padStart(3)} files   F1 ${mean.toFixed(3)}   below .5: ${below}`,
  );
}

const isFirstHalf = (name: string) => (createHash("sha256").update(name).digest()[0] ?? 0) < 128;
const sound = scores.filter(({ name }) => !UNSOUND.has(name));
for (const [format, all] of Map.groupBy(scores, ({ name }) => extname(name).slice(1)))
  row(format, all);
for (const [label, all] of [
  ["all", scores],
  ["sound truth", sound],
  ["PDF, sound truth", sound.filter(({ name }) => name.endsWith(".pdf"))],
] as const) {
  row(label, all);
  row(
    "  first half",
    all.filter(({ name }) => isFirstHalf(name)),
  );
  row(
    "  second half",
    all.filter(({ name }) => !isFirstHalf(name)),
  );
}
for (const { name, f1, missed, added, failure } of scores
  .toSorted((a, b) => a.f1 - b.f1)
  .slice(0, Number(values.show)))
  print(
    `${f1.toFixed(3)} ${name} ${failure || (UNSOUND.get(name) ?? "")}\n   missed: ${missed}\n   added: ${added}`,
  );
