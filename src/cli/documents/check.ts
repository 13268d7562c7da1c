import { defined } from "../../domain/defined.ts";
import { cutTo } from "../../text/width.ts";
import type { CheckReport, Lost } from "../../tools/operations.ts";
import { chooseVerb } from "../arguments.ts";
import { findDocument } from "../call.ts";
import type { Command, CommandContext } from "../command.ts";
import { readNumber, textOption } from "../options.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { refusal, type TextKey } from "../texts.ts";

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
  usage: "check [run | pin QUESTION | make | list | remove ID…] [--expects DOC] [--accept]",
  words: [...ACTIONS.keys()],
  options: {
    expects: { value: "DOC" },
    words: { value: "TEXT" },
    count: { short: "n", value: "N" },
    accept: {},
  },
  examples: [
    "knowledge-server check make",
    'knowledge-server check pin "when are refunds paid?" --expects policy.pdf',
    "knowledge-server check",
  ],
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
      onProgress: (done, total) => progress.update(terminal.t("searching"), done / total),
    })
    .finally(progress.end);
  terminal.result(report, () => print(report, terminal));
  return report.lost.some(({ isLoss }) => isLoss) ? 1 : 0;
}

const SHOWN = 50;

function print({ asked, found, score, before, lost }: CheckReport, terminal: Terminal): void {
  const { t } = terminal;
  if (asked === 0) {
    terminal.note(t("noQuestions"));
    return;
  }
  const was = before === undefined ? "" : t("checkBefore", before.toFixed(3));
  terminal.line(t("checkResult", found, asked, score.toFixed(3)) + was);
  const losses = lost.filter(({ isLoss }) => isLoss);
  printLost("lost", losses, terminal);
  printLost("neverFound", lost.filter(({ isLoss }) => !isLoss).slice(0, SHOWN), terminal);
  if (losses.length > 0) terminal.note(t("howToAccept"));
}

function printLost(title: TextKey, lost: readonly Lost[], terminal: Terminal): void {
  if (lost.length === 0) return;
  terminal.line();
  terminal.line(terminal.style("bold", terminal.t(title, lost.length)));
  for (const { id, question, filename, step } of lost) {
    const where = `${filename}: ${terminal.say({ code: step, values: [] })}`;
    terminal.line(`${terminal.style("dim", id)}  ${cutTo(question, 70)}`);
    terminal.line(`              ${where}`);
  }
}

async function pin(context: CommandContext, words: readonly string[]): Promise<number> {
  const { openApp, options, terminal, signal } = context;
  const question = words.join(" ").trim();
  const expects = options["expects"];
  if (question === "" || typeof expects !== "string")
    throw refusal("MISSING_REQUIRED_PARAMETER", "sayWhatToFind");
  const app = await openApp();
  const { id: documentId } = await findDocument(app, expects, signal);
  const { words: phrase } = textOption(options, "words");
  const given = { question, documentId, ...defined({ phrase }) };
  const pinned = await app.operations.pinCheck(given);
  const { id, filename } = pinned;
  terminal.result(pinned, () => terminal.note(terminal.t("pinned", id, filename)));
  return 0;
}

async function make({ openApp, options, terminal }: CommandContext): Promise<number> {
  const most = readNumber(options, "count", { least: 1, most: 1000 }) ?? DEFAULT_COUNT;
  const { operations } = await openApp();
  const made = await terminal.during(terminal.t("readingDocuments"), operations.makeChecks(most));
  terminal.result({ made }, () => terminal.note(terminal.t("questionsMade", made)));
  return 0;
}

async function list({ openApp, terminal }: CommandContext): Promise<number> {
  const state = await (await openApp()).operations.checks();
  if (terminal.asJson) terminal.json(state);
  else if (state.questions.length === 0) terminal.note(terminal.t("noQuestions"));
  else
    terminal.table(
      [
        { head: "fieldId", value: ({ id }) => id, style: "dim" },
        { head: "headQuestion", value: ({ question }) => question, shrinks: true },
        { head: "headKind", value: ({ kind }) => kind, optional: true },
        { head: "headExpects", value: ({ filename }) => filename, shrinks: true },
      ],
      state.questions,
    );
  return 0;
}

async function remove({ openApp, terminal }: CommandContext, ids: readonly string[]) {
  const removed = await (await openApp()).operations.removeChecks(ids);
  terminal.result({ removed }, () => terminal.note(terminal.t("questionsRemoved", removed)));
  return removed === ids.length ? 0 : 1;
}
