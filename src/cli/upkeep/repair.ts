import { setTimeout as wait } from "node:timers/promises";
import type { RepairReport } from "../../tools/operations.ts";
import type { Command, CommandContext, OpenToolbox } from "../command.ts";

export const repair: Command = {
  name: "repair",
  effect: "destroy",
  usage: "repair [--force]",
  options: {
    force: {},
  },
  examples: ["knowledge-server repair"],
  async run(context) {
    const app = await context.openApp();
    const work = app.operations.repair({ force: context.options["force"] === true });
    const report = await context.terminal.during(context.terminal.t("checkingDatabase"), work);
    const failed = report.queued > 0 ? await awaitReindexing(report, app, context) : 0;
    context.terminal.result({ ...report, failed }, () => show(report, failed, context));
    return failed > 0 ? 1 : 0;
  },
};

const LOOK_EVERY_MS = 500;

/** Waits until every document has been read again and counts the failures. */
async function awaitReindexing(
  { queued }: RepairReport,
  app: OpenToolbox,
  { terminal, signal }: CommandContext,
): Promise<number> {
  await app.startWork();
  const bar = terminal.progress();
  const all = { limit: queued + 100, open: false };
  for (;;) {
    signal.throwIfAborted();
    const tasks = await app.operations.tasks(all);
    const ended = tasks.filter(({ status }) => status !== "queued" && status !== "running");
    const share = ended.length / Math.max(1, tasks.length);
    bar.update(terminal.t("copyingDocuments", ended.length, tasks.length), share);
    if (ended.length === tasks.length) {
      bar.end();
      return ended.filter(({ status }) => status !== "completed").length;
    }
    await wait(LOOK_EVERY_MS, undefined, { signal });
  }
}

function show(report: RepairReport, failed: number, { terminal }: CommandContext): void {
  const { damage, documents, queued, recovered, tasks, scopes, losses, setAsideAs } = report;
  const { t } = terminal;
  if (setAsideAs === undefined) {
    terminal.line(t("intact"));
    return;
  }
  for (const line of damage) terminal.note(t("damageFound", line));
  terminal.line(t("rebuilt", documents, tasks, scopes, queued - failed));
  if (failed > 0) terminal.note(t("notReadAgain", failed));
  if (recovered > 0) terminal.note(t("recovered", recovered));
  if (losses.length === 0) terminal.line(t("nothingLost"));
  for (const { kind, name, what, isUncertain } of losses)
    terminal.note(t(isUncertain ? "maybeLossOf" : "lossOf", kind, name, what));
  terminal.line(t("oldDatabase", setAsideAs));
}
