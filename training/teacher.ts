// The teacher's vector for every line of a file, in parts of float16 that a later run takes up where this one ended:
// node training/teacher.ts --lines FILE --out FOLDER [--share 0/2]
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadEncoder } from "../src/embed/onnx/onnx-model.ts";
import { SHIPPED } from "../src/embed/onnx/profile.ts";

const { values: flags } = parseArgs({
  options: {
    lines: { type: "string", default: "" },
    out: { type: "string", default: "" },
    share: { type: "string", default: "0/1" },
  },
});

const PART = 4_096;
const lines = readFileSync(flags.lines, "utf8").trimEnd().split("\n");
const [share = 0, shares = 1] = flags.share.split("/").map(Number);
const model = await loadEncoder(join(import.meta.dirname, "../models/all-MiniLM-L6-v2"), SHIPPED);
mkdirSync(flags.out, { recursive: true });

for (let part = share; part * PART < lines.length; part += shares) {
  const file = join(flags.out, `${String(part).padStart(5, "0")}.f16`);
  if (existsSync(file)) continue;
  const texts = lines.slice(part * PART, (part + 1) * PART);
  const vectors = new Float16Array(texts.length * SHIPPED.dimensions);
  for (const [at, text] of texts.entries()) {
    vectors.set(await model.run({ text }), at * SHIPPED.dimensions);
  }
  writeFileSync(`${file}.part`, vectors);
  renameSync(`${file}.part`, file);
  process.stdout.write(`${part + 1} of ${Math.ceil(lines.length / PART)}\n`);
}
await model.release();
