// Retrieval quality, nDCG@10 of documents ranked by their best passage, through the real store and search:
// node bench/retrieval.ts --data DIR[,DIR] [--light DIR] [--sets a,b] [--sample 500] [--no-model] [--database-url URL]
//
// Each set's parts beside the whole: words (BM25), the model's vectors, the light encoder's, light + words (what is
// found right after an add), both ranked lists by reciprocal ranks, and the product once English has been refined.
// Sets named manual-… cross languages (training/cross_lingual.py).
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_CHUNKS } from "../src/chunk/chunk.ts";
import { openBase } from "./support/base.ts";
import { openCachedEmbed } from "./support/cached-embed.ts";
import { openRanker, type Way } from "./support/rankings.ts";
import { ndcg, type RetrievalSet, readRetrievalSet } from "./support/retrieval-set.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    light: { type: "string", default: join(import.meta.dirname, "../models/light") },
    sets: { type: "string" },
    sample: { type: "string", default: "0" },
    model: { type: "boolean", default: true },
    "database-url": { type: "string" },
    out: { type: "string" },
  },
  allowNegative: true,
});

type Figures = Record<Way, number>;

const embed = openCachedEmbed(flags.light);

async function measureSet(set: RetrievalSet): Promise<Figures> {
  const databaseUrl = flags["database-url"];
  const base = await openBase(set, embed, { size: DEFAULT_CHUNKS, databaseUrl });
  const ranker = await openRanker(base, embed, flags.model);
  if (flags.model) await embed.passages(set.queries.map(({ text }) => text));
  const sums: Partial<Figures> = {};
  for (const { id, text } of set.queries) {
    const rankings = await ranker.rank(text);
    for (const [way, names] of Object.entries(rankings) as [Way, readonly string[]][]) {
      const gain = ndcg(names, set.judged.get(id) ?? new Map());
      sums[way] = (sums[way] ?? 0) + gain / set.queries.length;
    }
  }
  await base.close();
  return sums as Figures;
}

const folders = new Map<string, string>();
for (const data of flags.data.split(",")) {
  const folder = join(data, "retrieval");
  for (const name of readdirSync(folder).sort()) folders.set(name, folder);
}
const results: Record<string, Figures> = {};
for (const name of flags.sets?.split(",") ?? folders.keys()) {
  const set = readRetrievalSet(folders.get(name) ?? "", name, Number(flags.sample));
  const figures = await measureSet(set);
  results[name] = figures;
  const cells = Object.entries(figures).map(([way, value]) => `${way} ${value.toFixed(3)}`);
  process.stdout.write(`${name.padEnd(22)} ${cells.join("  ")}\n`);
}
await embed.close();
if (flags.out) writeFileSync(flags.out, JSON.stringify(results, null, 2));
