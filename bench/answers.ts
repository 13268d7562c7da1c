// Answers on data that the reader has not seen: what is shown, how much of it is right, and what is refused.
//   node bench/answers.ts --data ../shared/data [--sets a,b] [--count 300] [--base DIR] [--chart FILE] [--out FILE] [--wrong]
// Encyclopedias (jsquad-valid, jaquad-dev, xquad-zh, xquad-es, korquad-dev, squad's test articles): half of the
// questions have their answer in the knowledge base, a quarter lack the article, a quarter only the paragraph. Files:
// documents, tables, receipts. Refusals: off-topic questions and gibberish on the knowledge base of real files.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { acrossItems } from "./answers/across.ts";
import { askAll, type Item, type Run } from "./answers/ask.ts";
import { type CollectionBase, openCollectionBase } from "./answers/collection-base.ts";
import { readCollection } from "./answers/collections.ts";
import { figuresOf } from "./answers/figures.ts";
import { openFileBase } from "./answers/file-base.ts";
import { documentItems, receiptItems, tableItems } from "./answers/file-items.ts";
import { mixedItems, unanswerableItems } from "./answers/mixed.ts";
import { GIBBERISH, OFF_TOPIC } from "./answers/off-topic.ts";
import { openReading } from "./answers/reading.ts";
import { curveOf, drawCurves } from "./answers/risk-chart.ts";

const COLLECTIONS = ["jsquad-valid", "jaquad-dev", "xquad-zh", "xquad-es", "korquad-dev", "squad"];
const FILES = ["documents", "tables", "receipts"];

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    sets: { type: "string", default: [...COLLECTIONS, "across", ...FILES].join(",") },
    count: { type: "string", default: "300" },
    base: { type: "string" },
    chart: { type: "string" },
    out: { type: "string" },
    wrong: { type: "boolean", default: false },
  },
});
const { data } = values;
const mix = { part: "test", count: Number(values.count), seed: 1 } as const;
const say = (line: string) => void process.stdout.write(`${line}\n`);

const runs: Run[] = [];
for (const set of values.sets.split(",")) {
  const asked = await ask(set);
  runs.push(...asked);
  for (const [name, own] of Map.groupBy(asked, ({ item }) => item.set)) {
    say(`${name.padEnd(20)} ${JSON.stringify(figuresOf(own))}`);
  }
}
const bySet = Map.groupBy(runs, ({ item }) => item.set);
if (values.wrong) for (const run of runs) sayWrong(run);
if (values.out !== undefined) {
  const report = Object.fromEntries([...bySet].map(([set, own]) => [set, figuresOf(own)]));
  writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
}
if (values.chart !== undefined) {
  const answerable = [...bySet].filter(([, own]) =>
    own.some(({ item }) => item.where === "present"),
  );
  writeFileSync(
    values.chart,
    drawCurves(new Map(answerable.map(([set, own]) => [set, curveOf(own)]))),
  );
}
process.exit(0);

async function ask(set: string): Promise<readonly Run[]> {
  if (FILES.includes(set)) return askFiles(set);
  if (set === "across") {
    const [asking, told] = [readCollection(data, "xquad-zh"), readCollection(data, "xquad-es")];
    return askOf(await openCollectionBase(told), acrossItems(asking, told, mix));
  }
  const paragraphs = readCollection(data, set);
  const items = [...mixedItems(set, paragraphs, mix), ...unanswerableItems(set, paragraphs, mix)];
  return askOf(await openCollectionBase(paragraphs), items);
}

async function askFiles(set: string): Promise<readonly Run[]> {
  const folder = join(data, set);
  const kept = values.base && join(values.base, set);
  const base = await openFileBase(join(folder, set === "receipts" ? "img" : "files"), kept);
  if (set === "tables") return askOf(base, tableItems(folder, mix.count, mix.seed));
  if (set === "receipts") return askOf(base, receiptItems(folder));
  const refuse = (name: string, questions: readonly string[]) =>
    questions.map(
      (question): Item => ({ set: name, where: "article absent", question, holds: () => false }),
    );
  const strange = [...refuse("off-topic", OFF_TOPIC), ...refuse("gibberish", GIBBERISH)];
  return askOf(base, [...documentItems(folder), ...strange]);
}

async function askOf(base: CollectionBase, items: readonly Item[]): Promise<readonly Run[]> {
  // The first question loads the models.
  await base.search.search({ text: "warm", limit: 1 });
  const asked = await askAll(items, {
    search: base.search,
    reading: await openReading(base.documents),
  });
  await base.close();
  return asked;
}

function sayWrong({ item, outcome, best }: Run): void {
  const isShown = outcome.outcome === "answered";
  if (isShown ? item.holds(outcome.answer) : item.where !== "present") return;
  const sure = best?.probability.toFixed(2) ?? "";
  say(
    `${item.set} ${item.where} ${outcome.outcome} ${sure}: ${item.question}\n    ${outcome.answer.slice(0, 200).replaceAll("\n", " / ")}`,
  );
}
