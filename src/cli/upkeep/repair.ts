import { setTimeout as wait } from "node:timers/promises";
import { count } from "../../text/english/count.ts";
import type { RepairReport } from "../../tools/operations.ts";
import type { Command, CommandContext, OpenToolbox } from "../command.ts";

export const repair: Command = {
  name: "repair",
  effect: "destroy",
  summary: "Check the database and rebuild it if it is damaged",
  usage: "repair [--force]",
  options: {
    force: {
      help: "rebuild even an intact or missing database, and add originals that belong to no document",
    },
  },
  examples: {
    "knowledge-server repair": "check, and repair if needed; stop the servers on this folder first",
  },
  async run(context) {
    const app = await context.openApp();
    const work = app.operations.repair({ force: context.options["force"] === true });
    const report = await context.terminal.during("Checking the database", work);
    const failed = report.queued > 0 ? await awaitReindexing(report, app, context) : 0;
    if (context.terminal.asJson) context.terminal.json({ ...report, failed });
    else show(report, failed, context);
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
    bar.update(
      `documents ${ended.length}/${tasks.length}`,
      ended.length / Math.max(1, tasks.length),
    );
    if (ended.length === tasks.length) {
      bar.end();
      return ended.filter(({ status }) => status !== "completed").length;
    }
    await wait(LOOK_EVERY_MS, undefined, { signal });
  }
}

function show(report: RepairReport, failed: number, { terminal }: CommandContext): void {
  const { damage, documents, queued, recovered, tasks, scopes, losses, setAsideAs } = report;
  if (setAsideAs === undefined) {
    terminal.line("The database is intact; nothing was changed.");
    return;
  }
  for (const line of damage) terminal.note(`found: ${line}`);
  terminal.line(
    `The new database has ${count(documents, "document")}, ${count(tasks, "task")} and ${count(scopes, "scope")} of the old one; read again: ${count(queued - failed, "file")}.`,
  );
  if (failed > 0)
    terminal.note(
      `Could not be read again: ${count(failed, "file")}; \`knowledge-server tasks\` shows why.`,
    );
  if (recovered > 0)
    terminal.note(
      `Without a document, so in the scope recovered, which only those with rights everywhere can read: ${count(recovered, "file")}. Move each where it belongs: \`knowledge-server move FILE --scope SCOPE\`.`,
    );
  if (losses.length === 0) terminal.line("Nothing was lost.");
  for (const { kind, name, what, isUncertain } of losses)
    terminal.note(`${isUncertain ? "may be lost" : "lost"}: ${kind} ${name}: ${what}`);
  terminal.line(`The old database is kept in ${setAsideAs} inside the data folder.`);
}
