// Files that break parsers: each must end in text or a clear error, soon, with the server's memory calm.
//   node bench/hostile.ts --data ../shared/data [--out FILE]
import { statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { KnowledgeError } from "../src/domain/errors.ts";
import { openExtract } from "../src/extract/extract.ts";
import { openLog } from "../src/observe/log.ts";

interface Expected {
  readonly file: string;
  readonly expect: string;
}

const { values } = parseArgs({ options: { data: { type: "string" }, out: { type: "string" } } });
if (values.data === undefined) throw new Error("--data DIR is needed");
const folder = join(values.data, "hostile");
const expected = JSON.parse(
  await readFile(join(folder, "expected.json"), "utf8"),
) as readonly Expected[];
const extract = openExtract({
  childUrl: new URL("../src/extract/sandbox/child.ts", import.meta.url),
  ocr: { dataDir: join(import.meta.dirname, "..", "ocr-data"), languages: ["eng", "jpn"] },
  log: openLog({ level: "silent" }),
});

let peakMb = 0;
let stallMs = 0;
let last = performance.now();
const watch = setInterval(() => {
  stallMs = Math.max(stallMs, performance.now() - last - 10);
  last = performance.now();
  peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1024 / 1024);
}, 10);

const rows: { file: string; outcome: string; ms: number; expect: string }[] = [];
for (const { file, expect } of expected) {
  const started = performance.now();
  const path = join(folder, "files", file);
  const sizeBytes = statSync(path).size;
  const outcome = await extract
    .extract({ path, filename: file, forceOcr: false, sizeBytes, caller: "bench" })
    .then((document) => {
      const leak = /root:.*:0:0:|ignore all earlier|access token/.test(document.text)
        ? " LEAK"
        : "";
      return `${document.format} text, ${document.text.length} characters${leak} ${document.warnings.join(" ")}`;
    })
    .catch((error: unknown) =>
      error instanceof KnowledgeError
        ? `${error.code}: ${error.message}`
        : `UNCLEAR ${String(error)}`,
    );
  rows.push({ file, outcome, ms: Math.round(performance.now() - started), expect });
}
clearInterval(watch);
await extract.close();
for (const row of rows) {
  process.stdout.write(
    `${row.file}\n  wanted ${row.expect}\n  got    ${row.outcome} (${row.ms} ms)\n`,
  );
}
const slowest = Math.max(...rows.map((row) => row.ms));
process.stdout.write(
  `server peak ${Math.round(peakMb)} MB, longest stall ${Math.round(stallMs)} ms, slowest file ${slowest} ms\n`,
);
if (values.out !== undefined)
  await writeFile(values.out, JSON.stringify({ peakMb, stallMs, slowest, rows }, null, 2));
