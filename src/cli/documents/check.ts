import { defined } from "../../domain/defined.ts";
import { cutTo } from "../../text/width.ts";
import type { CheckReport, Lost } from "../../tools/operations.ts";
import { findDocument } from "../call.ts";
import { type CommandContext, commandWithVerbs } from "../command.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { refusal, type Text } from "../texts.ts";

const DEFAULT_COUNT = 200;

const OPTIONS = {
  expects: { help: "pin: the document that must be found (id or file name)", value: "DOC" },
  words: { help: "pin: words that the found passage must have", value: "TEXT" },
  count: { help: "make: how many (default 200)", short: "n", value: "N", range: [1, 1000] },
  accept: { help: "run: take what is not found now as it is" },
} as const;

type Context = CommandContext<typeof OPTIONS>;

export const check = commandWithVerbs({
  name: "check",
  summary: "Check that searches still find what they found",
  effect: "write",
  usage: "check [run | pin QUESTION | make | list | remove ID…] [--expects DOC] [--accept]",
  options: OPTIONS,
  examples: `
    knowledge-server check make  # make questions from the documents
    knowledge-server check pin "when are refunds paid?" --expects policy.pdf  # one that must be found
    knowledge-server check       # run them; exit code 1 if something was lost
  `,
  verbs: { run, pin, make, list, remove },
  usual: "run",
});

async function run({ openApp, options, terminal, signal }: Context): Promise<number> {
  const { operations } = await openApp();
  const { accept } = options;
  const report = await terminal.track(({ update }) => {
    const onProgress = (done: number, total: number) =>
      update(terminal.t("Searching"), done / total);
    return operations.runChecks({ accept, signal, onProgress });
  });
  terminal.result(report, () => print(report, terminal));
  return report.lost.some(({ isLoss }) => isLoss) ? 1 : 0;
}

const NO_QUESTIONS = "There are no questions. Make some: knowledge-server check make";
const SHOWN = 50;

function print({ asked, found, score, before, lost }: CheckReport, terminal: Terminal): void {
  const { t } = terminal;
  if (asked === 0) {
    terminal.notify(NO_QUESTIONS);
    return;
  }
  const was = before === undefined ? "" : t(" (before: {0})", before.toFixed(3));
  terminal.line(
    t("{0} of {1|question|questions} found; score {2}", found, asked, score.toFixed(3)) + was,
  );
  const losses = lost.filter(({ isLoss }) => isLoss);
  printLost("Lost ({0})", losses, terminal);
  printLost("Never found ({0})", lost.filter(({ isLoss }) => !isLoss).slice(0, SHOWN), terminal);
  if (losses.length > 0) terminal.notify("To take this as it is: knowledge-server check --accept");
}

function printLost(title: Text, lost: readonly Lost[], terminal: Terminal): void {
  if (lost.length === 0) return;
  terminal.line();
  terminal.line(terminal.style("bold", terminal.t(title, lost.length)));
  for (const { id, question, filename, step } of lost) {
    const where = `${filename}: ${terminal.say({ code: step, values: [] })}`;
    terminal.line(`${terminal.style("dim", id)}  ${cutTo(question, 70)}`);
    terminal.line(`              ${where}`);
  }
}

async function pin({ args, openApp, options, terminal, signal }: Context): Promise<number> {
  const question = args.join(" ").trim();
  const { expects, words: phrase } = options;
  if (question === "" || expects === undefined)
    throw refusal(
      "MISSING_REQUIRED_PARAMETER",
      'Say what must be found: check pin "QUESTION" --expects DOC',
    );
  const app = await openApp();
  const { id: documentId } = await findDocument(app, expects, signal);
  const pinned = await app.operations.pinCheck({ question, documentId, ...defined({ phrase }) });
  const { id, filename } = pinned;
  terminal.result(pinned, () => terminal.notify("Pinned: {0} expects {1}.", id, filename));
  return 0;
}

async function make({ openApp, options, terminal }: Context): Promise<number> {
  const { operations } = await openApp();
  const work = operations.makeChecks(options.count ?? DEFAULT_COUNT);
  const made = await terminal.during(terminal.t("Reading the documents"), work);
  terminal.result({ made }, () => terminal.notify("{0|question was|questions were} made.", made));
  return 0;
}

async function list({ openApp, terminal }: Context): Promise<number> {
  const state = await (await openApp()).operations.checks();
  if (terminal.asJson) terminal.json(state);
  else
    terminal.list(
      state.questions,
      [
        { head: "Id", value: ({ id }) => id, style: "dim" },
        { head: "Question", value: ({ question }) => question, shrinks: true },
        { head: "Kind", value: ({ kind }) => kind, optional: true },
        { head: "Expects", value: ({ filename }) => filename, shrinks: true },
      ],
      NO_QUESTIONS,
    );
  return 0;
}

async function remove({ args: ids, openApp, terminal }: Context): Promise<number> {
  const removed = await (await openApp()).operations.removeChecks(ids);
  terminal.result({ removed }, () =>
    terminal.notify("{0|question was|questions were} removed.", removed),
  );
  return removed === ids.length ? 0 : 1;
}
