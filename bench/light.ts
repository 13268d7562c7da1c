// The light encoder beside the model in the same run, per CPU-second, so that other load does not matter:
// node bench/light.ts --data DIR [--light DIR] [--texts 100] [--out FILE]
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chunk } from "../src/chunk/chunk.ts";
import { openLight } from "../src/embed/light/light.ts";
import { loadEncoder } from "../src/embed/onnx/onnx-model.ts";
import { SHIPPED } from "../src/embed/onnx/profile.ts";
import { readRetrievalSet } from "./support/retrieval-set.ts";

const MODELS = join(import.meta.dirname, "../models");
const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    light: { type: "string", default: join(MODELS, "light") },
    texts: { type: "string", default: "100" },
    out: { type: "string" },
  },
});

function chunksOf(name: string): readonly string[] {
  const { corpus } = readRetrievalSet(join(flags.data, "retrieval"), name, 1);
  return corpus.flatMap(({ text }) => chunk({ text, blocks: [] }).map((each) => each.text));
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const round = (value: number) => Number(value.toPrecision(3));
const figures: Record<string, number> = {};

async function load(name: string) {
  const beganMs = performance.now();
  const began = cpuSeconds();
  const opened = await openLight(flags.light);
  figures[`${name}, ms`] = round(performance.now() - beganMs);
  figures[`${name}, CPU-ms`] = round((cpuSeconds() - began) * 1_000);
  return opened;
}

const bytesHeld = () => process.memoryUsage().arrayBuffers;
const before = bytesHeld();
const light = await load("first load, code compiled too");
figures["memory of the table, MB"] = round((bytesHeld() - before) / 1e6);
await load("second load");

const sets = { english: chunksOf("squad-v2.0-dev"), japanese: chunksOf("ja-ameba-faq") };
for (const [name, texts] of Object.entries(sets)) {
  const enough = Math.ceil(5_000 / texts.length);
  const began = cpuSeconds();
  for (let round = 0; round < enough; round++) for (const text of texts) light.encode(text);
  const seconds = cpuSeconds() - began;
  figures[`light, ${name} chunks per CPU-second`] = round((enough * texts.length) / seconds);
}

const model = await loadEncoder(join(MODELS, "all-MiniLM-L6-v2"), SHIPPED);
const few = sets.english.slice(0, Number(flags.texts));
await model.run({ text: "warm" });
const began = cpuSeconds();
for (const text of few) await model.run({ text });
figures["model, english chunks per CPU-second"] = round(few.length / (cpuSeconds() - began));
await model.release();

for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name}: ${value}\n`);
if (flags.out) writeFileSync(flags.out, JSON.stringify(figures, null, 2));
