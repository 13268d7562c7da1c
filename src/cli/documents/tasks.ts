import { isMessage } from "../../domain/phrases/messages.ts";
import { KNOWLEDGE_TASK_CANCEL, type ListedTask } from "../../tools/documents/contract.ts";
import { onlyOne, succeed } from "../call.ts";
import { command, type OpenToolbox } from "../command.ts";
import { describeSeconds, describeTime } from "../terminal/format.ts";
import { type Column, numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { refusal } from "../texts.ts";
import { explain, TO_REFINE } from "./added-table.ts";

export const tasks = command({
  name: "tasks",
  summary: "List waiting, running and finished adds",
  effect: "write",
  usage: "tasks [--open] [--limit N] [--cancel ID]…",
  options: {
    open: { help: "only unfinished ones" },
    limit: {
      help: "maximum number of tasks (default 20)",
      short: "n",
      value: "N",
      range: [1, 1000],
    },
    cancel: { help: "cancel this add", value: "ID…" },
  },
  examples: `
    knowledge-server tasks --open         # what is being added now
    knowledge-server tasks --cancel 5f0c  # cancel one, by the start of its id
  `,
  async run({ options, openApp, terminal, signal }) {
    const { limit = 20, open, cancel } = options;
    const app = await openApp();
    for (const given of cancel) {
      const { task_id, filename } = await findTask(app, given);
      const args = { task_id };
      const { value } = await succeed(app, { contract: KNOWLEDGE_TASK_CANCEL, args, signal });
      if (value.status === "cancelled") terminal.notify("{0}: cancelled", filename);
      else terminal.notify("{0}: it had already ended", filename);
    }
    if (cancel.length > 0) return 0;
    const rows = await app.operations.tasks({ limit, open });
    const refining = await app.operations.toRefine();
    terminal.list(rows, columnsOf(terminal), "There are no tasks.");
    if (terminal.asJson) return 0;
    if (rows.some(({ status }) => status === "queued"))
      terminal.notify(
        "Queued adds are processed by a running server. Without one, run `knowledge-server worker`.",
      );
    if (refining.chunks > 0) terminal.notify(TO_REFINE, refining.chunks, refining.documents);
    return 0;
  },
});

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
  throw refusal(
    "TASK_NOT_FOUND",
    "There is no task '{0}'. Run 'knowledge-server tasks' to list them.",
    given,
  );
}

const WHOLE_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function columnsOf(terminal: Terminal): readonly Column<ListedTask>[] {
  return [
    { head: "Id", value: ({ task_id }) => task_id.slice(0, 8), style: "dim" },
    { head: "File", value: ({ filename }) => filename, shrinks: true },
    { head: "Status", value: ({ status }) => terminal.t(status) },
    { head: "Step", value: (row) => stepOf(row, terminal), shrinks: true, optional: true },
    numbers("Time", (row) => describeSeconds(secondsOf(row), terminal), { optional: true }),
    { head: "Added", value: ({ created_at }) => describeTime(created_at), optional: true },
  ];
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
