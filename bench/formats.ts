// Files of any format against what another reader makes of them: token F1 per format, and the worst files.
//   node bench/formats.ts --files DIR --want DIR [--show 5]      want: NAME.txt for each file NAME
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
for (const [format, all] of Map.groupBy(scores, ({ name }) => extname(name).slice(1))) {
  const mean = all.reduce((sum, { f1 }) => sum + f1, 0) / all.length;
  const least = Math.min(...all.map(({ f1 }) => f1));
  print(
    `${format.padEnd(6)} ${String(all.length).padStart(3)} files   F1 ${mean.toFixed(3)}   least ${least.toFixed(3)}`,
  );
}
for (const { name, f1, missed, added, failure } of scores
  .toSorted((a, b) => a.f1 - b.f1)
  .slice(0, Number(values.show)))
  print(`${f1.toFixed(3)} ${name} ${failure}\n   missed: ${missed}\n   added: ${added}`);
