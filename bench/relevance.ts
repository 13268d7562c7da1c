// Fits the curve from fused scores to relevance, and shows what it makes of each set: right first hits, and the best
// that questions about something else find: node bench/relevance.ts --data DIR[,DIR] [--light DIR] [--sample 100]
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_CHUNKS } from "../src/chunk/chunk.ts";
import { scoreOf } from "../src/search/fuse.ts";
import { toRelevance } from "../src/search/score.ts";
import { openBase } from "./support/base.ts";
import { openCachedEmbed } from "./support/cached-embed.ts";
import { candidates } from "./support/candidates.ts";
import { type Example, fitLogistic } from "./support/logistic.ts";
import { readRetrievalSet } from "./support/retrieval-set.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    light: { type: "string", default: join(import.meta.dirname, "../models/light") },
    sets: { type: "string" },
    sample: { type: "string", default: "100" },
  },
});

/** A set, and the set whose questions are about something else, read by the same encoder. */
const PAIRS: readonly (readonly [string, string])[] = [
  ["cranfield", "squad-v2.0-dev"],
  ["squad-v2.0-dev", "tech-claude-docs"],
  ["tech-claude-docs", "squad-v2.0-dev"],
  ["ja-ameba-faq", "ja-tmu-elearning-faq"],
  ["ja-tmu-elearning-faq", "ja-ameba-faq"],
  ["manual-zh-cn-zh-cn", "ja-ameba-faq"],
  ["manual-zh-cn-en", "ja-ameba-faq"],
  ["manual-en-de", "squad-v2.0-dev"],
  ["manual-en-zh-cn", "squad-v2.0-dev"],
];

const embed = openCachedEmbed(flags.light);
const folders = flags.data.split(",").map((data) => join(data, "retrieval"));
const read = (name: string) => {
  const folder = folders.find((each) => existsSync(join(each, name))) ?? "";
  return readRetrievalSet(folder, name, Number(flags.sample));
};

interface Measured {
  /** Scores of the best passage where it is right, of the best right one, and of the best off-topic one. */
  readonly first: readonly number[];
  readonly right: readonly number[];
  readonly offTopic: readonly number[];
}

async function measure(name: string, other: string): Promise<Measured> {
  const set = read(name);
  const base = await openBase(set, embed, { size: DEFAULT_CHUNKS });
  const scored = async (text: string) =>
    (await candidates(base, embed, text))
      .map(({ name: document, words, vector, encoders }) => ({
        document,
        score: scoreOf(words, vector, encoders),
      }))
      .sort((a, b) => b.score - a.score);
  const [first, right, offTopic]: [number[], number[], number[]] = [[], [], []];
  for (const { id, text } of set.queries) {
    const grades = set.judged.get(id) ?? new Map();
    const ranked = await scored(text);
    const best = ranked.find(({ document }) => (grades.get(document) ?? 0) > 0);
    if (best) right.push(best.score);
    if (best && best === ranked[0]) first.push(best.score);
  }
  for (const { text } of read(other).queries) {
    offTopic.push((await scored(text))[0]?.score ?? 0);
  }
  await base.close();
  return { first, right, offTopic };
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const percent = (values: readonly number[], holds: (relevance: number) => boolean) =>
  `${Math.round((100 * values.filter((each) => holds(toRelevance(each))).length) / values.length)}%`;

function toExamples({ right, offTopic }: Measured): readonly Example[] {
  const labelled = (scores: readonly number[], label: 0 | 1) =>
    scores.map((score) => ({ signals: { score }, label, weight: 100 / scores.length }));
  return [...labelled(right, 1), ...labelled(offTopic, 0)];
}

function describeFit(sets: readonly Measured[]): string {
  const { bias, weights } = fitLogistic(sets.flatMap(toExamples), ["score"]);
  const slope = weights["score"] ?? 1;
  return `middle ${(-bias / slope).toFixed(3)}, slope ${slope.toFixed(1)}`;
}

const measured = new Map<string, Measured>();
const wanted = flags.sets?.split(",");
for (const [name, other] of PAIRS.filter(([each]) => wanted?.includes(each) ?? true)) {
  const each = await measure(name, other);
  measured.set(name, each);
  process.stdout.write(
    `${name.padEnd(22)} right first hits at 0.5 or more ${percent(each.first, (r) => r >= 0.5)}  off-topic below ` +
      `${percent(each.offTopic, (r) => r < 0.5)}  medians ${toRelevance(median(each.first)).toFixed(2)} ` +
      `${toRelevance(median(each.offTopic)).toFixed(2)}  own fit: ${describeFit([each])}\n`,
  );
}
await embed.close();
process.stdout.write(`all: ${describeFit([...measured.values()])}\n`);
for (const left of measured.keys()) {
  const others = [...measured].filter(([name]) => name !== left).map(([, each]) => each);
  process.stdout.write(`without ${left}: ${describeFit(others)}\n`);
}
