// Compares the product's encoder with the training side on texts of many languages and of none:
// node training/check.ts --data ../shared/data --model FILE.model --light models/light [--texts 10000]
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readRetrievalSet } from "../bench/support/retrieval-set.ts";
import { LIGHT_FILE, openLight } from "../src/embed/light/light.ts";
import { oddTexts } from "../test/fixtures/odd-texts.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    cross: { type: "string" },
    model: { type: "string", default: "" },
    light: { type: "string", default: join(import.meta.dirname, "../models/light") },
    texts: { type: "string", default: "10000" },
    python: { type: "string", default: "/usr/bin/python3" },
  },
});

interface Expected {
  readonly text: string;
  readonly pieces: readonly number[];
  readonly vector: readonly number[];
}

function realTexts(): readonly string[] {
  const folders = [flags.data, flags.cross].flatMap((each) => each ?? []);
  return folders
    .map((folder) => join(folder, "retrieval"))
    .flatMap((folder) => readdirSync(folder).map((name) => readRetrievalSet(folder, name, 0)))
    .flatMap(({ corpus, queries }) => [...corpus, ...queries])
    .map(({ text }) => text.slice(0, 1_000).toWellFormed());
}

const wanted = Number(flags.texts);
const odd = oddTexts(wanted / 4);
const real = realTexts();
const step = Math.max(1, real.length / (wanted - odd.length));
const texts = [...odd];
for (let at = 0; at < real.length && texts.length < wanted; at += step) {
  texts.push(real[Math.floor(at)] ?? "");
}

const { stdout, status } = spawnSync(
  flags.python,
  [
    join(import.meta.dirname, "expect.py"),
    "--model",
    flags.model,
    "--light",
    join(flags.light, LIGHT_FILE),
  ],
  { input: JSON.stringify(texts), maxBuffer: 2 ** 30, stdio: ["pipe", "pipe", "inherit"] },
);
if (status !== 0) throw new Error("expect.py failed");

const light = await openLight(flags.light);
const worst = { pieces: 0, distance: 0 };
for (const line of stdout.toString().trimEnd().split("\n")) {
  const { text, pieces, vector } = JSON.parse(line) as Expected;
  const own = light.encode(text);
  if (light.pieces(text).join() !== pieces.join()) {
    worst.pieces++;
    process.stdout.write(`${JSON.stringify(text.slice(0, 200))}\n`);
  }
  for (const [at, value] of vector.entries()) {
    worst.distance = Math.max(worst.distance, Math.abs(value - (own[at] ?? 0)));
  }
}
process.stdout.write(
  `${texts.length} texts: ${worst.pieces} cut otherwise, coordinates differ by ${worst.distance.toExponential(1)} at most\n`,
);
process.exitCode = worst.pieces === 0 && worst.distance < 1e-5 ? 0 : 1;
