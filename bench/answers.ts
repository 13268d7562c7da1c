// How often local answers hold the gold answer, how often what is shown as an answer is right, and what is refused.
//   node bench/answers.ts --data ../shared/data [--out FILE] [--fit] [--seed N] [--base DIR] [--wrong]
// Sets: documents (real files), files (our own questions on them), tables and forms (our own, and tables of the real
// files), off-topic, unsaid and files unsaid (our own and the real files have the subject, but not what is asked for),
// squad, absent (squad without the question's own article) and beside (without its own paragraph only). `--fit` writes
// src/answer/confidence/weights.ts and says what it changed.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openReadingCache } from "../src/answer/reading-cache.ts";
import { openLight } from "../src/embed/light/light.ts";
import { askAll, holdsAll, holdsGold, holdsPattern, type Item, type Run } from "./answers/ask.ts";
import { openDocumentBase } from "./answers/document-base.ts";
import { fitWeights, leftOut, UNANSWERED } from "./answers/fit.ts";
import { formQuestions } from "./answers/forms.ts";
import type { FreshFile } from "./answers/fresh/fresh-file.ts";
import { FRESH_FORMS } from "./answers/fresh/fresh-forms.ts";
import { FRESH_TABLES } from "./answers/fresh/fresh-tables.ts";
import { MANUALS } from "./answers/fresh/manuals.ts";
import { OFF_TOPIC } from "./answers/off-topic.ts";
import { REAL_FACTS, REAL_UNSAID } from "./answers/real-files.ts";
import { documentQuestions, tableQuestions } from "./answers/table-questions.ts";
import { UNSAID } from "./answers/unsaid.ts";
import { type AnswerBase, openAnswerBase, readLines } from "./support/answer-base.ts";
import { sampleOf } from "./support/sample.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    out: { type: "string" },
    seed: { type: "string", default: "1" },
    base: { type: "string" },
    fit: { type: "boolean", default: false },
    wrong: { type: "boolean", default: false },
    squad: { type: "string", default: "600" },
  },
});
if (values.data === undefined) throw new Error("--data DIR is needed");
const { data, seed, fit } = { ...values, data: values.data, seed: Number(values.seed) };
const say = (line: string) => void process.stdout.write(`${line}\n`);

const runs = [...(await askDocuments()), ...(await askSquad(Number(values.squad)))];
if (fit) {
  const changed = await fitWeights(runs);
  say(
    changed.length === 0 ? "weights.ts: as it was" : `weights.ts changed:\n${changed.join("\n")}`,
  );
  for (const [set, figures] of Object.entries(leftOut(runs)))
    say(`left out: ${set.padEnd(12)} ${JSON.stringify(figures)}`);
}
const report = Object.fromEntries(
  [...Map.groupBy(runs, ({ item }) => item.set)].map(([set, own]) => [set, figuresOf(own)]),
);
for (const [set, figures] of Object.entries(report))
  say(
    `${set.padEnd(12)} ${Object.entries(figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(" · ")}`,
  );
if (values.wrong) for (const run of runs) sayWrong(run);
if (values.out !== undefined) await writeFile(values.out, JSON.stringify(report, null, 2));

async function askDocuments(): Promise<readonly Run[]> {
  interface Question {
    readonly file: string;
    readonly question: string;
    readonly phrase: string;
    readonly also: readonly string[];
  }
  const text = await readFile(join(data, "documents", "questions.jsonl"), "utf8");
  const questions = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Question);
  const filenames = await readdir(join(data, "documents", "files"));
  const toItem =
    (set: string) =>
    (each: ReturnType<typeof tableQuestions>[number]): Item => ({
      set,
      question: each.question,
      group: each.table,
      holds: holdsGold(each.gold),
    });
  const items: readonly Item[] = [
    ...questions.map(({ file, question, phrase, also }) => ({
      set: "documents",
      question,
      group: file,
      // Our own invoices would be answers too.
      filter: { filenames },
      holds: holdsAll([phrase, ...also]),
    })),
    ...REAL_FACTS.map(([question, gold]) => ({
      set: "files",
      question,
      group: question,
      filter: { filenames },
      holds: holdsPattern(gold),
    })),
    ...[...tableQuestions(), ...documentQuestions()].map(toItem("tables")),
    ...formQuestions().map(toItem("forms")),
    ...toItems("manuals", MANUALS),
    ...toItems("fresh tables", FRESH_TABLES),
    ...toItems("fresh forms", FRESH_FORMS),
    ...OFF_TOPIC.map((question) => ({
      set: "off-topic",
      question,
      group: question,
      holds: () => false,
    })),
    ...Object.entries(UNSAID).flatMap(([group, asked]) =>
      asked.map((question) => ({ set: "unsaid", question, group, holds: () => false })),
    ),
    ...REAL_UNSAID.map((question) => ({
      set: "files unsaid",
      question,
      group: question,
      filter: { filenames },
      holds: () => false,
    })),
  ];
  const base = await openDocumentBase(data, values.base);
  // The first question loads the model.
  await base.search.search({ text: "warm", limit: 1 });
  const asked = await askAll(items, { ...base, whole: fit });
  await base.close();
  return asked;
}

function toItems(set: string, files: readonly FreshFile[]): readonly Item[] {
  return files.flatMap(({ filename, asked }) =>
    asked.map(([question, ...gold]) => ({
      set,
      question,
      group: filename,
      holds: holdsGold(gold),
    })),
  );
}

async function askSquad(count: number): Promise<readonly Run[]> {
  interface Row {
    readonly question: string;
    readonly answers: readonly string[];
    readonly "corpus-id": string;
  }
  const folder = join(data, "retrieval", "squad-v2.0-dev");
  const base = await openAnswerBase(folder);
  const rows = sampleOf(await readLines<Row>(join(folder, "answers.jsonl")), count, seed);
  const present = rows.map(
    (row): Item => ({
      set: "squad",
      question: row.question,
      group: articleOf(row["corpus-id"]),
      holds: (text) => row.answers.some((answer) => text.includes(answer)),
    }),
  );
  const absent = rows.slice(0, Math.ceil(count / 3)).map(
    (row): Item => ({
      set: "absent",
      question: row.question,
      group: articleOf(row["corpus-id"]),
      holds: () => false,
      filter: { documentIds: othersOf(base, articleOf(row["corpus-id"])) },
    }),
  );
  const beside = rows.slice(Math.ceil(count / 3), Math.ceil((count * 5) / 6)).map(
    (row): Item => ({
      set: "beside",
      question: row.question,
      group: articleOf(row["corpus-id"]),
      holds: (text) => row.answers.some((answer) => text.includes(answer)),
      filter: {
        documentIds: base.rows.map(({ _id }) => _id).filter((id) => id !== row["corpus-id"]),
      },
    }),
  );
  const light = await openLight(join(import.meta.dirname, "..", "models", "light"));
  const reading = { documents: base.documents, encode: light.encode, cache: openReadingCache() };
  const asked = await askAll([...present, ...absent, ...beside], {
    search: base.search,
    reading,
    whole: fit,
  });
  await base.close();
  return asked;
}

function othersOf({ rows }: AnswerBase, article: string): readonly string[] {
  return rows.map(({ _id }) => _id).filter((id) => articleOf(id) !== article);
}

function articleOf(id: string): string {
  return id.split("#", 1)[0] ?? id;
}

function figuresOf(own: readonly Run[]) {
  const shown = own.filter(({ outcome }) => outcome.outcome === "answered");
  const right = ({ item, outcome }: Run) => outcome.grounded && item.holds(outcome.answer);
  return {
    questions: own.length,
    "gold in the answer": share(own, right),
    "in a citation": share(own, ({ item, outcome }) =>
      outcome.citations.some(({ content }) => item.holds(content)),
    ),
    shown: share(own, ({ outcome }) => outcome.grounded),
    "right of the shown": share(shown, right),
    related: share(own, ({ outcome }) => outcome.outcome === "related"),
    nothing: share(own, ({ outcome }) => outcome.outcome === "nothing"),
    "citations verbatim": share(own, ({ verbatim }) => verbatim),
    "search p50 ms": median(own.map(({ searchMs }) => searchMs)),
    "with the answer": median(own.map(({ searchMs, answerMs }) => searchMs + answerMs)),
  };
}

function sayWrong({ item, outcome }: Run): void {
  if (outcome.grounded ? item.holds(outcome.answer) : UNANSWERED.has(item.set)) return;
  say(
    `${item.set} ${outcome.outcome} ${outcome.kind}: ${item.question}\n    ${outcome.answer.slice(0, 200).replaceAll("\n", " / ")}`,
  );
}

function share<Each>(items: readonly Each[], test: (item: Each) => boolean): number {
  return items.length === 0 ? 0 : Number((items.filter(test).length / items.length).toFixed(3));
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1));
}
