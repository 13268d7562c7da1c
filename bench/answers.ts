// How often local answers hold the gold answer, and how often they refuse what no document answers.
//   node bench/answers.ts --data ../shared/data [--out FILE] [--fit]
// Articles are parted: `--fit` fits the refusal's weights on every second one, the figures come from the others.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { AnswerOutcome } from "../src/answer/answer.ts";
import { answerExtractively } from "../src/answer/quote/quote.ts";
import { type AnswerBase, openAnswerBase, readLines } from "./support/answer-base.ts";
import { type Asked, fitRefusal } from "./support/fit-refusal.ts";
import { sampleOf } from "./support/sample.ts";

interface Row {
  readonly question: string;
  readonly answers?: readonly string[];
  readonly "corpus-id": string;
}

const SAMPLE = 300;
const FIT_SAMPLE = 1_200;
const MAX_RESULTS = 4;
const POOL = 20;

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    out: { type: "string" },
    seed: { type: "string", default: "1" },
    fit: { type: "boolean" },
  },
});
if (values.data === undefined) throw new Error("--data DIR is needed");
const folder = join(values.data, "retrieval", "squad-v2.0-dev");
const seed = Number(values.seed);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const base = await openAnswerBase(folder);
const articles = [...new Set(base.rows.map(({ _id }) => articleOf(_id)))].sort();
const fitted = new Set(articles.filter((_, at) => at % 2 === 0));
const read = async (name: string) => await readLines<Row>(join(folder, name));
const answerable = await read("answers.jsonl");
const unanswerable = await read("unanswerable.jsonl");

if (values.fit) await fitWeights();
const report = await measure();
for (const [name, value] of Object.entries(report)) say(`${name.padEnd(34)} ${value}`);
if (values.out !== undefined) await writeFile(values.out, JSON.stringify(report, null, 2));
await base.close();

async function measure() {
  const here = (rows: readonly Row[]) =>
    sampleOf(
      rows.filter((row) => !fitted.has(articleOf(row["corpus-id"]))),
      SAMPLE,
      seed,
    );
  const answered = await askAll(here(answerable), base, {});
  const misled = await askAll(here(unanswerable), base, {});
  const absent = await askAll(here(answerable), base, { without: "own article" });
  const given = answered.filter(({ outcome }) => outcome.grounded);
  const inAnswer = ({ row, outcome }: Run) => holds(row, outcome.answer);
  const inCitation = ({ row, outcome }: Run) =>
    outcome.citations.some(({ content }) => holds(row, content));
  const citations = [...answered, ...misled, ...absent].flatMap(citationsOf);
  return {
    "gold in the answer, all": share(answered, inAnswer),
    "gold in the answer, answered": share(given, inAnswer),
    "gold in a citation, all": share(answered, inCitation),
    "gold in a citation, answered": share(given, inCitation),
    "answerable refused": share(answered, ({ outcome }) => !outcome.grounded),
    "unanswerable refused": share(misled, ({ outcome }) => !outcome.grounded),
    "article absent, refused": share(absent, ({ outcome }) => !outcome.grounded),
    "citations verbatim": share(citations, (verbatim) => verbatim),
    "characters an answer, median": median(given.map(({ outcome }) => outcome.answer.length)),
    "search p50 ms": median(answered.map(({ searchMs }) => searchMs)),
    "answer p50 ms, search included": median(
      answered.map(({ searchMs, answerMs }) => searchMs + answerMs),
    ),
  };
}

interface Run {
  readonly row: Row;
  readonly outcome: AnswerOutcome;
  readonly texts: ReadonlyMap<string, string>;
  readonly searchMs: number;
  readonly answerMs: number;
}

async function askAll(
  rows: readonly Row[],
  { search, rows: corpus }: AnswerBase,
  { without }: { readonly without?: "own article" },
): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const row of rows) {
    const article = articleOf(row["corpus-id"]);
    const others = corpus.map(({ _id }) => _id).filter((id) => articleOf(id) !== article);
    const filter = without && { filter: { documentIds: others } };
    const started = performance.now();
    const { passages } = await search.search({ text: row.question, limit: POOL, ...filter });
    const found = performance.now();
    const outcome = answerExtractively(row.question, passages, MAX_RESULTS);
    runs.push({
      row,
      outcome,
      texts: new Map(passages.map(({ chunkId, text }) => [chunkId, text])),
      searchMs: found - started,
      answerMs: performance.now() - found,
    });
  }
  return runs;
}

async function fitWeights(): Promise<void> {
  const there = (rows: readonly Row[]) =>
    sampleOf(
      rows.filter((row) => fitted.has(articleOf(row["corpus-id"]))),
      FIT_SAMPLE,
      seed,
    );
  const ask = async (rows: readonly Row[], kind: Asked["kind"]) => {
    const asked: Asked[] = [];
    for (const row of rows) {
      const article = articleOf(row["corpus-id"]);
      const others = base.rows.map(({ _id }) => _id).filter((id) => articleOf(id) !== article);
      const filter = kind === "absent" && { filter: { documentIds: others } };
      const { passages } = await base.search.search({ text: row.question, limit: POOL, ...filter });
      asked.push({ query: row.question, passages, kind });
    }
    return asked;
  };
  const asked = [
    ...(await ask(there(answerable), "answerable")),
    ...(await ask(there(unanswerable), "misled")),
    ...(await ask(there(answerable).slice(0, FIT_SAMPLE / 2), "absent")),
  ];
  say(fitRefusal([...asked, ...(await askPlain())], MAX_RESULTS));
}

/** Questions to a technical manual, every second one. */
async function askPlain(): Promise<readonly Asked[]> {
  const other = join(values.data ?? "", "retrieval", "tech-claude-docs");
  const manual = await openAnswerBase(other);
  const asked: Asked[] = [];
  for (const [at, { text }] of (
    await readLines<{ text: string }>(join(other, "queries.jsonl"))
  ).entries()) {
    if (at % 2 === 1) continue;
    const { passages } = await manual.search.search({ text, limit: POOL });
    asked.push({ query: text, passages, kind: "plain" });
  }
  await manual.close();
  return asked;
}

function articleOf(id: string): string {
  return id.split("#", 1)[0] ?? id;
}

function holds({ answers = [] }: Row, text: string): boolean {
  return answers.some((answer) => text.includes(answer));
}

function citationsOf({ outcome, texts }: Run): readonly boolean[] {
  return outcome.citations.map(
    ({ content, location }) => texts.get(String(location["chunk_id"])) === content,
  );
}

function share<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  return Number((items.filter(test).length / items.length).toFixed(3));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1));
}
