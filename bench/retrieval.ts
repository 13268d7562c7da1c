// Retrieval quality, nDCG@10 of documents ranked by their best passage, through the real store and search:
// node bench/retrieval.ts --data DIR [--sets a,b] [--sample 500] [--size 500 --unit columns] [--out FILE]
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ChunkUnit, DEFAULT_CHUNKS } from "../src/chunk/chunk.ts";
import { openAnalyser } from "../src/search/search.ts";
import type { Hit } from "../src/store/store.ts";
import { type Base, openBase } from "./support/base.ts";
import { openCachedEmbed } from "./support/cached-embed.ts";
import { ndcg, type RetrievalSet, readRetrievalSet } from "./support/retrieval-set.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    sets: { type: "string" },
    sample: { type: "string", default: "0" },
    size: { type: "string", default: String(DEFAULT_CHUNKS.size) },
    unit: { type: "string", default: DEFAULT_CHUNKS.unit },
    "database-url": { type: "string" },
    out: { type: "string" },
  },
});

const DEPTH = 200;
const PASSAGES = 50; // the most that a search may be asked for
const RRF_K = 60;

type Ranking = "bm25" | "vectors" | "rrf" | "ours" | "ours, 10 passages";
type Figures = Record<Ranking, number>;

const embed = openCachedEmbed();
const analyser = openAnalyser();

function rrf(...lists: readonly (readonly Hit[])[]): number[] {
  const scores = new Map<number, number>();
  for (const list of lists) {
    for (const [rank, { key }] of list.slice(0, 100).entries()) {
      scores.set(key, (scores.get(key) ?? 0) + 1 / (RRF_K + rank + 1));
    }
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([key]) => key);
}

async function measureQuery(base: Base, text: string, grades: ReadonlyMap<string, number>) {
  const terms = analyser.terms(text).map((term) => ({ term, weight: 1 }));
  const { hits: words } = await base.store.lexical({ terms, limit: DEPTH });
  const vectors = await base.store.nearest({ vector: await embed.query(text), limit: DEPTH });
  const { passages } = await base.search.search({ text, limit: PASSAGES });
  const ofKeys = (ranked: readonly number[]) =>
    ndcg([...new Set(ranked.map((key) => base.nameOf.get(key) ?? ""))], grades);
  const ofNames = (ranked: readonly string[]) => ndcg([...new Set(ranked)], grades);
  const files = passages.map(({ filename }) => filename);
  return {
    bm25: ofKeys(words.map(({ key }) => key)),
    vectors: ofKeys(vectors.map(({ key }) => key)),
    rrf: ofKeys(rrf(words, vectors)),
    ours: ofNames(files),
    "ours, 10 passages": ofNames(files.slice(0, 10)),
  } satisfies Figures;
}

async function measureSet(set: RetrievalSet): Promise<Figures & { chunks: number }> {
  const size = { size: Number(flags.size), unit: flags.unit as ChunkUnit };
  const base = await openBase(set, embed, { size, databaseUrl: flags["database-url"] });
  const sums: Figures = { bm25: 0, vectors: 0, rrf: 0, ours: 0, "ours, 10 passages": 0 };
  await embed.passages(set.queries.map(({ text }) => text));
  for (const { id, text } of set.queries) {
    const figures = await measureQuery(base, text, set.judged.get(id) ?? new Map());
    for (const name of Object.keys(sums) as Ranking[]) sums[name] += figures[name];
  }
  await base.close();
  const mean = Object.entries(sums).map(([name, sum]) => [name, sum / set.queries.length]);
  return { ...(Object.fromEntries(mean) as Figures), chunks: base.chunkCount };
}

const folder = join(flags.data, "retrieval");
const results: Record<string, Figures & { chunks: number }> = {};
process.stdout.write(`chunks of ${flags.size} ${flags.unit}\n`);
for (const name of flags.sets?.split(",") ?? readdirSync(folder).sort()) {
  const set = readRetrievalSet(folder, name, Number(flags.sample));
  const figures = await measureSet(set);
  results[name] = figures;
  const cells = Object.entries(figures).map(
    ([key, value]) => `${key} ${key === "chunks" ? value : value.toFixed(3)}`,
  );
  process.stdout.write(`${name.padEnd(22)} ${cells.join("  ")}\n`);
}
await embed.close();
if (flags.out) writeFileSync(flags.out, JSON.stringify(results, null, 2));
