// Does the score of `knowledge-server check` fall when a search gets worse? Twenty settings are worsened on purpose; the
// score of questions made from the documents is compared with nDCG@10 of the real questions, as a rank correlation:
// node bench/check.ts --data DIR [--sets a,b] [--sample 150] [--count 150]
import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chooseQuestions } from "../src/check/check.ts";
import type { Question } from "../src/check/question.ts";
import { ask, scoreOf } from "../src/check/run-questions.ts";
import { DEFAULT_CHUNKS } from "../src/chunk/chunk.ts";
import { openLog } from "../src/observe/log.ts";
import { openAnalyser, openSearch } from "../src/search/search.ts";
import { leaveOutWeak } from "../src/tools/documents/weak-results.ts";
import { openBase } from "./support/base.ts";
import { openCachedEmbed } from "./support/cached-embed.ts";
import { ndcg, type RetrievalSet, readRetrievalSet } from "./support/retrieval-set.ts";
import { type Worsening, weigh, worsenings } from "./support/worsened.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    sets: { type: "string" },
    sample: { type: "string", default: "150" },
    count: { type: "string", default: "150" },
    out: { type: "string" },
  },
});

const log = openLog({ level: "error" });
const TOP_K = 10;
const SHOWN = 50;
const { signal } = new AbortController();
const embed = openCachedEmbed();

const light = await embed.light?.load();
if (light === undefined) throw new Error("There is no light encoder.");
const { encode } = light;

interface Figures {
  readonly real: number;
  readonly check: number;
}

async function measure(
  set: RetrievalSet,
  questions: readonly Question[],
  worse: Worsening,
): Promise<Figures> {
  const { size = DEFAULT_CHUNKS, change, store: toStore, embed: toEmbed } = worse;
  const base = await openBase(set, embed, { size, ...(change && { change }) });
  const store = toStore?.(base.store) ?? base.store;
  const restore = weigh(worse.words);
  const search = openSearch({
    ...{ store, embed: toEmbed?.(embed) ?? embed, analyser: openAnalyser(), log },
  });
  let real = 0;
  for (const { id, text } of set.queries) {
    const { passages } = await search.search({ text, limit: SHOWN });
    const names = [...new Set(passages.map(({ filename }) => filename))];
    real += ndcg(names, set.judged.get(id) ?? new Map()) / set.queries.length;
  }
  const verdicts = [];
  const shown = (found: Parameters<typeof leaveOutWeak>[0], query: string) =>
    leaveOutWeak(found, query).passages;
  for (const question of questions)
    verdicts.push(
      await ask({ search, documents: base.store, topK: TOP_K, shown }, question, signal),
    );
  restore();
  await base.close();
  return { real, check: scoreOf(verdicts) };
}

async function questionsOf({ corpus }: RetrievalSet): Promise<readonly Question[]> {
  const idOf = (name: string) => createHash("sha256").update(name).digest("hex").slice(0, 32);
  const texts = new Map(corpus.map(({ id, title, text }) => [idOf(id), { title, text }]));
  const extracted = async (id: string) => {
    const found = texts.get(id);
    if (found === undefined) return undefined;
    const plain = { format: "txt", method: "text_extraction", blocks: [], pages: [] } as const;
    return { ...plain, warnings: [], text: found.text, ...(found.title && { title: found.title }) };
  };
  const documents = corpus.map(({ id }) => ({ id: idOf(id), filename: id }));
  return chooseQuestions({ documents: { extracted }, encode }, documents, Number(flags.count));
}

/** Spearman: equal values share their mean rank. */
function correlation(one: readonly number[], other: readonly number[]): number {
  const ranks = (values: readonly number[]) =>
    values.map((value) => {
      const below = values.filter((each) => each < value).length;
      const same = values.filter((each) => each === value).length;
      return below + (same - 1) / 2;
    });
  const [a, b] = [ranks(one), ranks(other)];
  const mean = (one.length - 1) / 2;
  const product = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, at) => sum + (value - mean) * ((y[at] ?? 0) - mean), 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

const all: readonly Worsening[] = [{ name: "as it is" }, ...worsenings(light)];
const folder = join(flags.data, "retrieval");
const results: Record<string, Record<string, Figures>> = {};
for (const name of flags.sets?.split(",") ?? readdirSync(folder).sort()) {
  const set = readRetrievalSet(folder, name, Number(flags.sample));
  const questions = await questionsOf(set);
  const figures: Record<string, Figures> = {};
  for (const worse of all) {
    const found = await measure(set, questions, worse);
    figures[worse.name] = found;
    const cells = `nDCG@10 ${found.real.toFixed(3)}  check ${found.check.toFixed(3)}`;
    process.stdout.write(`${name.padEnd(22)} ${worse.name.padEnd(38)} ${cells}\n`);
  }
  results[name] = figures;
  print(name, Object.values(figures).slice(1));
}
const mean = (at: number, of: keyof Figures) =>
  Object.values(results).reduce((sum, each) => sum + (Object.values(each)[at]?.[of] ?? 0), 0);
print(
  "mean of the sets",
  all.slice(1).map((_, at) => ({ real: mean(at + 1, "real"), check: mean(at + 1, "check") })),
);
await embed.close();
if (flags.out) writeFileSync(flags.out, JSON.stringify(results, null, 2));

function print(name: string, figures: readonly Figures[]): void {
  const found = correlation(
    figures.map(({ real }) => real),
    figures.map(({ check }) => check),
  );
  process.stdout.write(`${name}: rank correlation ${found.toFixed(3)} over ${figures.length}\n`);
}
