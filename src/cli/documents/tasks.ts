import { KnowledgeError } from "../../domain/errors.ts";
import { KNOWLEDGE_TASK_CANCEL, type ListedTask } from "../../tools/documents/contract.ts";
import { onlyOne, succeed } from "../call.ts";
import type { Command, OpenToolbox } from "../command.ts";
import { listOf, readNumber } from "../options.ts";
import { describeRefining, describeSeconds, describeTime } from "../terminal/format.ts";
import { numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";

export const tasks: Command = {
  name: "tasks",
  effect: "write",
  summary: "List waiting, running and finished adds",
  usage: "tasks [--open] [--limit N] [--cancel ID]…",
  options: {
    open: { help: "only unfinished ones" },
    limit: { short: "n", value: "N", help: "maximum number of tasks (default 20)" },
    cancel: { multiple: true, value: "ID", help: "cancel this add (repeatable)" },
  },
  examples: {
    "knowledge-server tasks --open": "what is being added now",
    "knowledge-server tasks --cancel 5f0c": "by the first characters of its id",
  },
  async run({ options, openApp, terminal, signal }) {
    const limit = readNumber(options, "limit", { least: 1, most: 1000 }) ?? 20;
    const app = await openApp();
    const cancelled = listOf(options["cancel"]);
    for (const given of cancelled) {
      const { task_id, filename } = await findTask(app, given);
      const args = { task_id };
      const { value } = await succeed(app, { contract: KNOWLEDGE_TASK_CANCEL, args, signal });
      terminal.note(`${filename}: ${value.message}`);
    }
    if (cancelled.length > 0) return 0;
    const rows = await app.operations.tasks({ limit, open: options["open"] === true });
    if (terminal.asJson) terminal.json(rows);
    else if (rows.length === 0) terminal.note("There are no tasks.");
    else print(rows, terminal);
    if (!terminal.asJson && rows.some(({ status }) => status === "queued"))
      terminal.note(WHO_WORKS);
    const refining = await app.operations.toRefine();
    if (!terminal.asJson && refining.chunks > 0)
      terminal.note(`Still to be refined: ${describeRefining(refining)}.`);
    return 0;
  },
};

/** This also applies to adds whose process died, because they are queued again. */
const WHO_WORKS =
  "Queued adds are processed by a running server. Without one, run `knowledge-server worker`.";

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
  throw new KnowledgeError(
    "TASK_NOT_FOUND",
    `There is no task '${given}'. Run 'knowledge-server tasks' to list them.`,
  );
}

const WHOLE_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function print(rows: readonly ListedTask[], terminal: Terminal): void {
  terminal.table<ListedTask>(
    [
      { head: "ID", value: ({ task_id }) => task_id.slice(0, 8), style: "dim" },
      { head: "FILE", value: ({ filename }) => filename, shrinks: true },
      { head: "STATUS", value: ({ status }) => status },
      { head: "STEP", value: stepOf, shrinks: true, optional: true },
      numbers("TIME", (row) => describeSeconds(secondsOf(row)), { optional: true }),
      { head: "ADDED", value: ({ created_at }) => describeTime(created_at), optional: true },
    ],
    rows,
  );
}

function secondsOf(row: ListedTask): number {
  return row.status === "completed" ? row.total_time_seconds : row.elapsed_time_seconds;
}

function stepOf(row: ListedTask): string {
  switch (row.status) {
    case "running":
      return `${Math.round(row.progress * 100)}% ${row.current_step}`;
    case "failed":
    case "cancelled":
      return row.message;
    case "queued":
    case "completed":
      return "";
  }
}
