import { KnowledgeError } from "../../domain/errors.ts";
import { count } from "../../text/english/count.ts";
import { cutTo } from "../../text/width.ts";
import type { CheckReport, Lost, Step } from "../../tools/operations.ts";
import { chooseVerb } from "../arguments.ts";
import { findDocument } from "../call.ts";
import type { Command, CommandContext } from "../command.ts";
import { readNumber } from "../options.ts";
import type { Terminal } from "../terminal/terminal.ts";

type Action = (context: CommandContext, words: readonly string[]) => Promise<number>;

const ACTIONS = new Map<string, Action>([
  ["run", run],
  ["pin", pin],
  ["make", make],
  ["list", list],
  ["remove", remove],
]);
const DEFAULT_COUNT = 200;

export const check: Command = {
  name: "check",
  effect: "write",
  summary: "Check that searches still find what they found",
  usage: "check [run | pin QUESTION | make | list | remove ID…] [--expects DOC] [--accept]",
  words: [...ACTIONS.keys()],
  options: {
    expects: { value: "DOC", help: "pin: the document that must be found (id or file name)" },
    words: { value: "TEXT", help: "pin: words that the found passage must have" },
    count: { short: "n", value: "N", help: `make: how many (default ${DEFAULT_COUNT})` },
    accept: { help: "run: take what is not found now as it is" },
  },
  examples: {
    "knowledge-server check make": "make questions from the documents",
    'knowledge-server check pin "when are refunds paid?" --expects policy.pdf':
      "one that must be found",
    "knowledge-server check": "run them; exit code 1 if something was lost",
  },
  async run(context) {
    const [word = "run", ...words] = context.args;
    return chooseVerb("check", word, ACTIONS)(context, words);
  },
};

async function run({ openApp, options, terminal, signal }: CommandContext): Promise<number> {
  const { operations } = await openApp();
  const progress = terminal.progress();
  const report = await operations
    .runChecks({
      accept: options["accept"] === true,
      signal,
      onProgress: (done, total) => progress.update("Searching", done / total),
    })
    .finally(progress.end);
  if (terminal.asJson) terminal.json(report);
  else print(report, terminal);
  return report.lost.some(({ isLoss }) => isLoss) ? 1 : 0;
}

const SHOWN = 50;

function print({ asked, found, score, before, lost }: CheckReport, terminal: Terminal): void {
  if (asked === 0) {
    terminal.note("There are no questions. Make some: knowledge-server check make");
    return;
  }
  const was = before === undefined ? "" : ` (before: ${before.toFixed(3)})`;
  terminal.line(`${found} of ${count(asked, "question")} found; score ${score.toFixed(3)}${was}`);
  const losses = lost.filter(({ isLoss }) => isLoss);
  printLost("Lost", losses, terminal);
  printLost("Never found", lost.filter(({ isLoss }) => !isLoss).slice(0, SHOWN), terminal);
  if (losses.length > 0) terminal.note("To take this as it is: knowledge-server check --accept");
}

const STEPS = new Map<Step, string>([
  ["not-indexed", "not in the index"],
  ["not-recalled", "found neither by words nor by meaning"],
  ["not-by-words", "not found by words, and ranked too low"],
  ["not-by-meaning", "not found by meaning, and ranked too low"],
  ["ranked-below", "ranked too low"],
  ["left-out-as-weak", "left out as weak"],
]);

function printLost(title: string, lost: readonly Lost[], terminal: Terminal): void {
  if (lost.length === 0) return;
  terminal.line();
  terminal.line(terminal.style("bold", `${title} (${lost.length})`));
  for (const { id, question, filename, step } of lost) {
    const where = `${filename}: ${STEPS.get(step) ?? step}`;
    terminal.line(`${terminal.style("dim", id)}  ${cutTo(question, 70)}`);
    terminal.line(`              ${where}`);
  }
}

async function pin(context: CommandContext, words: readonly string[]): Promise<number> {
  const { openApp, options, terminal, signal } = context;
  const question = words.join(" ").trim();
  const expects = options["expects"];
  if (question === "" || typeof expects !== "string")
    throw new KnowledgeError(
      "MISSING_REQUIRED_PARAMETER",
      'Say what must be found: check pin "QUESTION" --expects DOC',
    );
  const app = await openApp();
  const { id: documentId } = await findDocument(app, expects, signal);
  const phrase = options["words"];
  const given = { question, documentId, ...(typeof phrase === "string" && { phrase }) };
  const pinned = await app.operations.pinCheck(given);
  if (terminal.asJson) terminal.json(pinned);
  else terminal.note(`Pinned: ${pinned.id} expects ${pinned.filename}.`);
  return 0;
}

async function make({ openApp, options, terminal }: CommandContext): Promise<number> {
  const most = readNumber(options, "count", { least: 1, most: 1000 }) ?? DEFAULT_COUNT;
  const { operations } = await openApp();
  const made = await terminal.during("Reading the documents", operations.makeChecks(most));
  if (terminal.asJson) terminal.json({ made });
  else terminal.note(`${count(made, "question was", "questions were")} made.`);
  return 0;
}

async function list({ openApp, terminal }: CommandContext): Promise<number> {
  const state = await (await openApp()).operations.checks();
  if (terminal.asJson) terminal.json(state);
  else if (state.questions.length === 0) terminal.note("There are no questions.");
  else
    terminal.table(
      [
        { head: "ID", value: ({ id }) => id, style: "dim" },
        { head: "QUESTION", value: ({ question }) => question, shrinks: true },
        { head: "KIND", value: ({ kind }) => kind, optional: true },
        { head: "EXPECTS", value: ({ filename }) => filename, shrinks: true },
      ],
      state.questions,
    );
  return 0;
}

async function remove({ openApp, terminal }: CommandContext, ids: readonly string[]) {
  const removed = await (await openApp()).operations.removeChecks(ids);
  if (terminal.asJson) terminal.json({ removed });
  else terminal.note(`${count(removed, "question was", "questions were")} removed.`);
  return removed === ids.length ? 0 : 1;
}
