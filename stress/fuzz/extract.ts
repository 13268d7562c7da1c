// Flips, cuts and splices the bytes of every sample file and reads the result: each must end in text or a
// clear error, within its time limit, and the readers' memory must not grow.
//   node stress/fuzz/extract.ts [--inputs 5000] [--seed 1] [--formats epub,odt] [--keep FOLDER]
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { KnowledgeError } from "../../src/domain/errors.ts";
import { openExtract } from "../../src/extract/extract.ts";
import { openLog } from "../../src/observe/log.ts";
import { extractSamples, type Sample } from "../../test/fixtures/extract-samples.ts";
import { shippedUrl } from "../../test/support/shipped.ts";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { mutate } from "./mutate.ts";
import { openRandom } from "./random.ts";

const { values } = parseArgs({
  options: {
    inputs: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
    formats: { type: "string" },
    keep: { type: "string" },
  },
});

const folder = tempFolder("fuzz-extract");
const crashes: string[] = [];
const log = openLog({
  level: "warn",
  write: (line) => void (line.includes("extract.crashed") && crashes.push(line)),
});
const extract = openExtract({
  childUrl: shippedUrl("extract/sandbox/child"),
  ocr: { dataDir: join(import.meta.dirname, "..", "..", "ocr-data"), languages: ["eng"] },
  log,
  workers: 2,
  limits: { stallMs: 20_000 },
});

const wanted = values.formats?.split(",");
const samples = (await extractSamples()).filter(({ format }) => wanted?.includes(format) ?? true);
const random = openRandom(Number(values.seed));
const tally = new Map<string, number>();
const bad: { input: number; format: string; outcome: string }[] = [];
let next = 0;
let slowest = 0;
const started = performance.now();

await Promise.all([work(0), work(1)]);
await extract.close();
await rm(folder, { recursive: true });

for (const [outcome, count] of [...tally].sort((a, b) => b[1] - a[1]))
  say(`${String(count).padStart(6)}  ${outcome}`);
for (const { input, format, outcome } of bad) say(`input ${input} (${format}): ${outcome}`);
const seconds = Math.round((performance.now() - started) / 1000);
say(
  `${next} inputs in ${seconds} s; slowest ${Math.round(slowest)} ms; ${crashes.length} reader crashes; this process ${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
);
process.exitCode = bad.length === 0 ? 0 : 1;

async function work(worker: number): Promise<void> {
  while (next < Number(values.inputs)) {
    const input = next;
    next += 1;
    const sample = pick(input);
    const bytes = mutate(sample.bytes, random);
    const path = join(folder, String(worker));
    await writeFile(path, bytes);
    const begun = performance.now();
    const before = crashes.length;
    const outcome = await extract
      .extract({
        path,
        filename: sample.filename,
        forceOcr: false,
        sizeBytes: bytes.length,
        caller: "fuzz",
      })
      .then(() => "text")
      .catch((error: unknown) =>
        error instanceof KnowledgeError ? error.code : `UNCLEAR ${String(error)}`,
      );
    slowest = Math.max(slowest, performance.now() - begun);
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    const crashed = crashes.length > before;
    if (crashed || /UNCLEAR|TIMEOUT|INTERNAL/.test(outcome))
      await keepBad(input, sample, bytes, crashed ? `crash, ${outcome}` : outcome);
  }
}

/** Pictures take a second each, so there are few. */
function pick(input: number): Sample {
  const cheap = samples.filter(({ method }) => method === "text_extraction");
  const all = input % 60 === 0 ? samples : cheap;
  return all[Math.floor(random.next() * all.length)] ?? (samples[0] as Sample);
}

async function keepBad(
  input: number,
  { format }: Sample,
  bytes: Buffer,
  outcome: string,
): Promise<void> {
  bad.push({ input, format, outcome });
  if (values.keep === undefined) return;
  await mkdir(values.keep, { recursive: true });
  await writeFile(join(values.keep, `${input}.${format}`), bytes);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
