// nDCG@10 of words, light vectors and both together, documents ranked by their best passage; bench/retrieval.ts has the
// model's own figures:
// node bench/light-retrieval.ts --data DIR [--light DIR] [--sets a,b] [--sample 500] [--out FILE]
//
// Sets named manual-en-LANG and manual-LANG-en (training/cross_lingual.py) cross languages: their English side is
// embedded by the model, the other by the light encoder, as in a knowledge base whose English has been refined.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_CHUNKS } from "../src/chunk/chunk.ts";
import type { Embed } from "../src/embed/embed.ts";
import { openLight } from "../src/embed/light/light.ts";
import { fuse } from "../src/search/fuse.ts";
import { toQuery } from "../src/search/query.ts";
import { recallByWords } from "../src/search/recall-words.ts";
import { openAnalyser } from "../src/search/search.ts";
import type { Hit } from "../src/store/store.ts";
import { type Base, openBase } from "./support/base.ts";
import { openCachedEmbed } from "./support/cached-embed.ts";
import { ndcg, type RetrievalSet, readRetrievalSet } from "./support/retrieval-set.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    light: { type: "string", default: join(import.meta.dirname, "../models/light") },
    sets: { type: "string" },
    sample: { type: "string", default: "0" },
    out: { type: "string" },
  },
});

const DEPTH = 200;
const RRF_K = 60;
/** The vectors' say in a sum of both scores, as search adds them up. */
const WEIGHTS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7];

const model = openCachedEmbed();
const light = await openLight(flags.light);
const analyser = openAnalyser();
const lightEmbed: Embed = {
  ...model,
  languages: "any",
  query: async (text) => light.encode(text),
  passages: async (texts) => texts.map((text) => light.encode(text)),
};

function embedOf(name: string): Embed {
  if (name.startsWith("manual-en-")) return { ...lightEmbed, query: model.query };
  if (name.startsWith("manual-")) return { ...lightEmbed, passages: model.passages };
  return lightEmbed;
}

function rrf(...lists: readonly (readonly Hit[])[]): readonly number[] {
  const scores = new Map<number, number>();
  for (const list of lists) {
    for (const [rank, { key }] of list.slice(0, 100).entries()) {
      scores.set(key, (scores.get(key) ?? 0) + 1 / (RRF_K + rank + 1));
    }
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([key]) => key);
}

/** Each way to rank → documents, best first. */
async function rank(base: Base, embed: Embed, text: string): Promise<Record<string, string[]>> {
  const limit = DEPTH;
  const { hits: words } = await recallByWords(base.store, toQuery(text, analyser), { limit });
  const vectors = await base.store.nearest({ vector: await embed.query(text), limit });
  const toNames = (keys: readonly number[]) => keys.map((key) => base.nameOf.get(key) ?? "");
  const ofHits = (hits: readonly { readonly key: number }[]) => toNames(hits.map(({ key }) => key));
  const fused = WEIGHTS.map((weight) => {
    const ranked = ofHits(fuse({ words, vectors, limit, weight }));
    return [`fused ${weight}`, ranked] as const;
  });
  return {
    words: ofHits(words),
    vectors: ofHits(vectors),
    rrf: toNames(rrf(words, vectors)),
    ...Object.fromEntries(fused),
  };
}

async function measureSet(set: RetrievalSet, embed: Embed): Promise<Record<string, number>> {
  const base = await openBase(set, embed, { size: DEFAULT_CHUNKS });
  const sums: Record<string, number> = {};
  for (const { id, text } of set.queries) {
    for (const [way, names] of Object.entries(await rank(base, embed, text))) {
      const gain = ndcg([...new Set(names)], set.judged.get(id) ?? new Map());
      sums[way] = (sums[way] ?? 0) + gain / set.queries.length;
    }
  }
  await base.close();
  return sums;
}

const folder = join(flags.data, "retrieval");
const results: Record<string, Record<string, number>> = {};
for (const name of flags.sets?.split(",") ?? readdirSync(folder).sort()) {
  const set = readRetrievalSet(folder, name, Number(flags.sample));
  const figures = await measureSet(set, embedOf(name));
  results[name] = figures;
  const cells = Object.entries(figures).map(([key, value]) => `${key} ${value.toFixed(3)}`);
  process.stdout.write(`${name.padEnd(22)} ${cells.join("  ")}\n`);
}
await model.close();
if (flags.out) writeFileSync(flags.out, JSON.stringify(results, null, 2));
