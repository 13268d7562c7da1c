// Chooses the vectors' say in the fused score, leave-one-out: sets are grouped by who reads question and passages; for
// each set the weight that is best for the others of its group, and what the set itself gets with it:
// node bench/weights.ts --data DIR[,DIR] [--light DIR] [--sets a,b] [--sample 200]
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_CHUNKS } from "../src/chunk/chunk.ts";
import {
  blend,
  type Encoders,
  WEIGHTS as WEIGHTS_IN_USE,
  type Weights,
} from "../src/search/fuse.ts";
import { openBase } from "./support/base.ts";
import { openCachedEmbed } from "./support/cached-embed.ts";
import { candidates, type Known } from "./support/candidates.ts";
import { ndcg, type RetrievalSet, readRetrievalSet } from "./support/retrieval-set.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    light: { type: "string", default: join(import.meta.dirname, "../models/light") },
    sets: { type: "string" },
    sample: { type: "string", default: "200" },
  },
});

const WEIGHTS = [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8];

interface Row {
  /** "light → model": a light question over passages that the model reads, mostly. */
  readonly group: string;
  /** nDCG@10 by weight. */
  readonly figures: readonly number[];
}

const embed = openCachedEmbed(flags.light);
const nameOf = ({ query, passage }: Encoders) => `${query} → ${passage}`;

function gainOf(
  known: readonly Known[],
  grades: ReadonlyMap<string, number>,
  weightsFor: (encoders: Encoders) => Weights,
): number {
  const ranked = known
    .map(({ name, words, vector, encoders }) => ({
      name,
      score: blend(words, vector, weightsFor(encoders)),
    }))
    .sort((a, b) => b.score - a.score);
  return ndcg([...new Set(ranked.map(({ name }) => name))], grades);
}

async function measure(set: RetrievalSet): Promise<Row> {
  const base = await openBase(set, embed, { size: DEFAULT_CHUNKS });
  const asked: { readonly known: readonly Known[]; readonly id: string }[] = [];
  for (const { id, text } of set.queries) {
    asked.push({ id, known: await candidates(base, embed, text) });
  }
  await base.close();
  const counts = new Map<string, number>();
  for (const { encoders } of asked.flatMap(({ known }) => known)) {
    counts.set(nameOf(encoders), (counts.get(nameOf(encoders)) ?? 0) + 1);
  }
  const group = [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
  const figures = WEIGHTS.map((weight) => {
    const weightsFor = (encoders: Encoders) => {
      const own = WEIGHTS_IN_USE[encoders.query][encoders.passage];
      const sum = own.words + own.vector;
      if (nameOf(encoders) !== group) return own;
      return { words: sum * (1 - weight), vector: sum * weight };
    };
    const gains = asked.map(({ id, known }) =>
      gainOf(known, set.judged.get(id) ?? new Map(), weightsFor),
    );
    return gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  });
  return { group, figures };
}

function leaveOneOut(rows: ReadonlyMap<string, Row>): void {
  for (const [left, { group, figures }] of rows) {
    const others = [...rows].filter(([name, row]) => name !== left && row.group === group);
    const sums = WEIGHTS.map((_, at) =>
      others.reduce((sum, [, row]) => sum + (row.figures[at] ?? 0), 0),
    );
    const best = sums.indexOf(Math.max(...sums));
    const got = (figures[best] ?? 0).toFixed(3);
    process.stdout.write(`${group}, without ${left}: ${WEIGHTS[best]} → ${got}\n`);
  }
}

const folders = new Map<string, string>();
for (const data of flags.data.split(",")) {
  const folder = join(data, "retrieval");
  for (const name of readdirSync(folder).sort()) folders.set(name, folder);
}
const rows = new Map<string, Row>();
for (const name of flags.sets?.split(",") ?? folders.keys()) {
  const row = await measure(readRetrievalSet(folders.get(name) ?? "", name, Number(flags.sample)));
  rows.set(name, row);
  const cells = row.figures.map((value, at) => `${WEIGHTS[at]}: ${value.toFixed(3)}`);
  process.stdout.write(`${name.padEnd(22)} ${row.group.padEnd(14)} ${cells.join("  ")}\n`);
}
await embed.close();
leaveOneOut(rows);
