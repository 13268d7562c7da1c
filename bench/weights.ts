// Chooses the vectors' say in the fused score, leave-one-out: for each set the weight that is best for the others, and
// what the set itself gets with it: node bench/weights.ts --data DIR[,DIR] [--sets a,b] [--sample 200] [--out FILE]
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_CHUNKS } from "../src/chunk/chunk.ts";
import { openLog } from "../src/observe/log.ts";
import { fuse } from "../src/search/fuse.ts";
import { toQuery } from "../src/search/query.ts";
import { recallByMeaning } from "../src/search/recall-meaning.ts";
import { recallByWords } from "../src/search/recall-words.ts";
import { openAnalyser } from "../src/search/search.ts";
import { openBase } from "./support/base.ts";
import { openCachedEmbed } from "./support/cached-embed.ts";
import { ndcg, type RetrievalSet, readRetrievalSet } from "./support/retrieval-set.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    light: { type: "string", default: join(import.meta.dirname, "../models/light") },
    sets: { type: "string" },
    sample: { type: "string", default: "200" },
    out: { type: "string" },
  },
});

const LIMIT = 200;
const WEIGHTS = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7];

const embed = openCachedEmbed(flags.light);
const analyser = openAnalyser();
const log = openLog({ level: "error" });

/** nDCG@10 by weight. */
async function measure(set: RetrievalSet): Promise<readonly number[]> {
  const base = await openBase(set, embed, { size: DEFAULT_CHUNKS });
  const sums = WEIGHTS.map(() => 0);
  for (const { id, text } of set.queries) {
    const recall = { limit: LIMIT };
    const words = await recallByWords(base.store, toQuery(text, analyser), recall);
    const meaning = await recallByMeaning({ store: base.store, embed, log }, text, recall);
    for (const [at, weight] of WEIGHTS.entries()) {
      const sides = { words: words.hits, vectors: meaning.hits, limit: LIMIT, weight };
      const names = fuse(sides).map(({ key }) => base.nameOf.get(key) ?? "");
      const gain = ndcg([...new Set(names)], set.judged.get(id) ?? new Map());
      sums[at] = (sums[at] ?? 0) + gain / set.queries.length;
    }
  }
  await base.close();
  return sums;
}

const folders = new Map<string, string>();
for (const data of flags.data.split(",")) {
  const folder = join(data, "retrieval");
  for (const name of readdirSync(folder).sort()) folders.set(name, folder);
}
const figures = new Map<string, readonly number[]>();
for (const name of flags.sets?.split(",") ?? folders.keys()) {
  const set = readRetrievalSet(folders.get(name) ?? "", name, Number(flags.sample));
  const row = await measure(set);
  figures.set(name, row);
  const cells = row.map((value, at) => `${WEIGHTS[at]}: ${value.toFixed(3)}`);
  process.stdout.write(`${name.padEnd(22)} ${cells.join("  ")}\n`);
}
await embed.close();

for (const [left, row] of figures) {
  const others = [...figures].filter(([name]) => name !== left).map(([, each]) => each);
  const means = WEIGHTS.map((_, at) => others.reduce((sum, each) => sum + (each[at] ?? 0), 0));
  const best = means.indexOf(Math.max(...means));
  process.stdout.write(`without ${left}: ${WEIGHTS[best]} → ${(row[best] ?? 0).toFixed(3)}\n`);
}
if (flags.out) writeFileSync(flags.out, JSON.stringify({ WEIGHTS, ...Object.fromEntries(figures) }));
