// Text that people cannot see, in files that nobody tampered with: what is marked, of how many blocks.
//   node bench/hidden.ts DIR… [--pictures]
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_LIMITS } from "../src/extract/limits.ts";
import { openReaders } from "../src/extract/read.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pictures: { type: "boolean", default: false } },
});
if (positionals.length === 0) throw new Error("folders with files are needed");
const print = (line: string) => process.stdout.write(`${line}\n`);
const ocr = { dataDir: join(import.meta.dirname, "..", "ocr-data"), languages: ["eng"] };
const readers = openReaders({ ocr, limits: DEFAULT_LIMITS });
const events = { progress: () => {}, alive: () => {} };
const sums = { files: 0, blocks: 0, marks: 0, disguised: 0 };

async function look(folder: string, filename: string): Promise<void> {
  const bytes = await readFile(join(folder, filename));
  const read = await readers
    .read({ bytes, filename, forceOcr: false }, events)
    .catch(() => undefined);
  if (read === undefined) return;
  const { blocks, hidden = [], warnings } = read;
  const disguised = warnings.filter(({ code }) => code === "disguisedWords");
  sums.files += 1;
  sums.blocks += blocks.length;
  sums.marks += hidden.length;
  sums.disguised += disguised.length;
  for (const { place, kind, text } of hidden)
    print(`${filename} ${JSON.stringify(place)} ${kind}: ${JSON.stringify(text.slice(0, 300))}`);
  for (const { values: found } of disguised) print(`${filename} disguised: ${found.join(" ")}`);
}

for (const folder of positionals) {
  for (const name of (await readdir(folder, { withFileTypes: true })).sort()) {
    const isPicture = /\.(?:png|jpe?g)$/i.test(name.name);
    if (name.isFile() && (values.pictures || !isPicture)) await look(folder, name.name);
  }
}
print(JSON.stringify({ ...sums, share: sums.marks / Math.max(1, sums.blocks) }));
