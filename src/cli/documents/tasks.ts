import { isMessage } from "../../domain/phrases/messages.ts";
import { KNOWLEDGE_TASK_CANCEL, type ListedTask } from "../../tools/documents/contract.ts";
import { onlyOne, succeed } from "../call.ts";
import type { Command, OpenToolbox } from "../command.ts";
import { listOf, readNumber } from "../options.ts";
import { describeSeconds, describeTime } from "../terminal/format.ts";
import { numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { refusal } from "../texts.ts";
import { explain } from "./added-table.ts";

export const tasks: Command = {
  name: "tasks",
  effect: "write",
  usage: "tasks [--open] [--limit N] [--cancel ID]…",
  options: {
    open: {},
    limit: { short: "n", value: "N" },
    cancel: { multiple: true, value: "ID" },
  },
  examples: ["knowledge-server tasks --open", "knowledge-server tasks --cancel 5f0c"],
  async run({ options, openApp, terminal, signal }) {
    const limit = readNumber(options, "limit", { least: 1, most: 1000 }) ?? 20;
    const app = await openApp();
    const cancelled = listOf(options["cancel"]);
    for (const given of cancelled) {
      const { task_id, filename } = await findTask(app, given);
      const args = { task_id };
      const { value } = await succeed(app, { contract: KNOWLEDGE_TASK_CANCEL, args, signal });
      terminal.note(
        terminal.t(value.status === "cancelled" ? "taskCancelled" : "taskOver", filename),
      );
    }
    if (cancelled.length > 0) return 0;
    const rows = await app.operations.tasks({ limit, open: options["open"] === true });
    if (terminal.asJson) terminal.json(rows);
    else if (rows.length === 0) terminal.note(terminal.t("noTasks"));
    else print(rows, terminal);
    if (!terminal.asJson && rows.some(({ status }) => status === "queued"))
      terminal.note(terminal.t("whoWorks"));
    const refining = await app.operations.toRefine();
    if (!terminal.asJson && refining.chunks > 0)
      terminal.note(terminal.t("toRefine", refining.chunks, refining.documents));
    return 0;
  },
};

// People with more tasks than this use whole ids.
const SEARCHED = 1000;

/** Finds a task by its id or the start of it. */
async function findTask(
  { operations }: OpenToolbox,
  given: string,
): Promise<Pick<ListedTask, "task_id" | "filename">> {
  if (WHOLE_ID.test(given)) return { task_id: given, filename: given };
  const known = await operations.tasks({ limit: SEARCHED, open: false });
  const meant = known.filter(({ task_id }) => given && task_id.startsWith(given));
  const found = onlyOne(given, meant, ({ task_id, filename }) => `${task_id}  ${filename}`);
  if (found !== undefined) return found;
  throw refusal("TASK_NOT_FOUND", "noTask", given);
}

const WHOLE_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function print(rows: readonly ListedTask[], terminal: Terminal): void {
  terminal.table<ListedTask>(
    [
      { head: "fieldId", value: ({ task_id }) => task_id.slice(0, 8), style: "dim" },
      { head: "fieldFile", value: ({ filename }) => filename, shrinks: true },
      { head: "headStatus", value: ({ status }) => terminal.t(status) },
      { head: "headStep", value: (row) => stepOf(row, terminal), shrinks: true, optional: true },
      numbers("headTime", (row) => describeSeconds(secondsOf(row), terminal), { optional: true }),
      { head: "fieldAdded", value: ({ created_at }) => describeTime(created_at), optional: true },
    ],
    rows,
  );
}

function secondsOf(row: ListedTask): number {
  return row.status === "completed" ? row.total_time_seconds : row.elapsed_time_seconds;
}

function stepOf(row: ListedTask, terminal: Terminal): string {
  if (row.status === "failed") return explain(row, terminal);
  if (row.status !== "running") return "";
  const { step_codes: codes, current_step: step } = row;
  const shown = codes.every(isMessage) ? codes.map(terminal.say).join(" · ") : step;
  return `${Math.round(row.progress * 100)}% ${shown}`;
}
