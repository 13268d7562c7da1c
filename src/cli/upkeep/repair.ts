import { setTimeout as wait } from "node:timers/promises";
import type { RepairReport } from "../../tools/operations.ts";
import { type CommandContext, command, type OpenToolbox } from "../command.ts";

export const repair = command({
  name: "repair",
  summary: "Check the database and rebuild it if it is damaged",
  effect: "destroy",
  usage: "repair [--force]",
  options: {
    force: {
      help: "rebuild even an intact or missing database, and add originals that belong to no document",
    },
  },
  examples: `
    knowledge-server repair  # check, and repair if needed; stop the servers on this folder first
  `,
  async run(context) {
    const app = await context.openApp();
    const work = app.operations.repair({ force: context.options.force });
    const report = await context.terminal.during(context.terminal.t("Checking the database"), work);
    const failed = report.queued > 0 ? await awaitReindexing(report, app, context) : 0;
    context.terminal.result({ ...report, failed }, () => show(report, failed, context));
    return failed > 0 ? 1 : 0;
  },
});

const LOOK_EVERY_MS = 500;

/** Waits until every document has been read again and counts the failures. */
async function awaitReindexing(
  { queued }: RepairReport,
  app: OpenToolbox,
  { terminal, signal }: CommandContext,
): Promise<number> {
  await app.startWork();
  const all = { limit: queued + 100, open: false };
  return terminal.track(async ({ update }) => {
    for (;;) {
      signal.throwIfAborted();
      const tasks = await app.operations.tasks(all);
      const ended = tasks.filter(({ status }) => status !== "queued" && status !== "running");
      const share = ended.length / Math.max(1, tasks.length);
      update(terminal.t("documents {0}/{1}", ended.length, tasks.length), share);
      if (ended.length === tasks.length)
        return ended.filter(({ status }) => status !== "completed").length;
      await wait(LOOK_EVERY_MS, undefined, { signal });
    }
  });
}

function show(report: RepairReport, failed: number, { terminal }: CommandContext): void {
  const { damage, documents, queued, recovered, tasks, scopes, losses, setAsideAs } = report;
  if (setAsideAs === undefined) {
    terminal.report("The database is intact; nothing was changed.");
    return;
  }
  for (const line of damage) terminal.notify("found: {0}", line);
  terminal.report(
    "The new database has {0|document|documents}, {1|task|tasks} and {2|scope|scopes} of the old one; read again: {3|file|files}.",
    documents,
    tasks,
    scopes,
    queued - failed,
  );
  if (failed > 0)
    terminal.notify(
      "Could not be read again: {0|file|files}; `knowledge-server tasks` shows why.",
      failed,
    );
  if (recovered > 0)
    terminal.notify(
      "Without a document, so in the scope recovered, which only those with rights everywhere can read: {0|file|files}. Move each where it belongs: `knowledge-server move FILE --scope SCOPE`.",
      recovered,
    );
  if (losses.length === 0) terminal.report("Nothing was lost.");
  for (const { kind, name, what, isUncertain } of losses)
    terminal.notify(
      isUncertain ? "may be lost: {0} {1}: {2}" : "lost: {0} {1}: {2}",
      kind,
      name,
      what,
    );
  terminal.report("The old database is kept in {0} inside the data folder.", setAsideAs);
}
