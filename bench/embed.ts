// The model behind its port against the model called bare, per CPU-second, so that other load does not matter:
// node bench/embed.ts --data DIR [--texts 300] [--out FILE]
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chunk } from "../src/chunk/chunk.ts";
import { loadEncoder } from "../src/embed/onnx/onnx-model.ts";
import { SHIPPED } from "../src/embed/onnx/profile.ts";
import { openLocalModel } from "./support/cached-embed.ts";
import { readRetrievalSet } from "./support/retrieval-set.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    texts: { type: "string", default: "300" },
    out: { type: "string" },
  },
});

const set = readRetrievalSet(join(flags.data, "retrieval"), "squad-v2.0-dev", 200);
const texts = set.corpus
  .flatMap(({ text }) => chunk({ text, blocks: [] }).map((each) => each.text))
  .slice(0, Number(flags.texts));
const queries = set.queries.map(({ text }) => text);

async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function medianMs(work: (text: string) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (const text of queries) {
    const began = performance.now();
    await work(text);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
}

const bare = await loadEncoder(join(import.meta.dirname, "../models/all-MiniLM-L6-v2"), SHIPPED);
await bare.run({ text: "warm" });
const bareSeconds = await cpuSeconds(async () => {
  for (const text of texts) await bare.run({ text });
});
const bareQueryMs = await medianMs((text) => bare.run({ text }));
await bare.release();

const embed = openLocalModel();
await embed.passages(["both", "workers", "are", "warm", "now"]);
const portSeconds = await cpuSeconds(() => embed.passages(texts));
const portQueryMs = await medianMs((text) => embed.query(text));
await embed.close();

const round = (value: number) => Number(value.toPrecision(3));
const figures = {
  texts: texts.length,
  "bare, texts per CPU-second": round(texts.length / bareSeconds),
  "port, texts per CPU-second": round(texts.length / portSeconds),
  "port against bare": round(bareSeconds / portSeconds),
  "bare, query p50 ms": round(bareQueryMs),
  "port, query p50 ms": round(portQueryMs),
};
for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name}: ${value}\n`);
if (flags.out) writeFileSync(flags.out, JSON.stringify(figures, null, 2));
