import type { Command } from "../command.ts";
import { readNumber } from "../terminal/number.ts";
import { describeRefining } from "../terminal/refining.ts";
import { refused } from "../terminal/refused.ts";
import { describeSeconds, describeTime } from "../terminal/size.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface Row {
  readonly task_id: string;
  readonly filename: string;
  readonly created_at: string;
  readonly status: string;
  readonly progress?: number;
  readonly current_step?: string;
  readonly message?: string;
  readonly elapsed_time_seconds?: number;
  readonly total_time_seconds?: number;
}

export const tasks: Command = {
  name: "tasks",
  effect: "write",
  summary: "Adds that are waiting, running or done",
  usage: "tasks [--open] [--limit N] [--cancel ID]…",
  options: {
    open: { type: "boolean", help: "only those that have not ended" },
    limit: { type: "string", short: "n", value: "N", help: "most tasks (default 20)" },
    cancel: { type: "string", multiple: true, value: "ID", help: "stop this one (repeatable)" },
  },
  examples: [{ line: "knowledge-server tasks --open", does: "what is being added now" }],
  async run({ options, openApp, terminal, signal }) {
    const limit = readNumber(options, "limit", { least: 1, most: 1000 }) ?? 20;
    const app = await openApp();
    const list = async (open: boolean, most: number) =>
      (await app.operations.tasks({ limit: most, open })) as unknown as readonly Row[];
    const cancelled = (options["cancel"] ?? []) as readonly string[];
    for (const given of cancelled) {
      const found = (await list(false, 1000)).find(({ task_id }) => task_id.startsWith(given));
      const call = { task_id: found?.task_id ?? given };
      const { payload, isError } = await app.call("knowledge-task-cancel", call, { signal });
      if (isError) throw refused(payload);
      const { message } = payload as { message: string };
      terminal.note(`${found?.filename ?? given}: ${message}`);
    }
    if (cancelled.length > 0) return 0;
    const rows = await list(options["open"] === true, limit);
    if (terminal.asJson) terminal.json(rows);
    else if (rows.length === 0) terminal.note("There are no tasks.");
    else print(rows, terminal);
    const refining = await app.operations.toRefine();
    if (!terminal.asJson && refining.chunks > 0)
      terminal.note(`Still to be refined: ${describeRefining(refining)}.`);
    return 0;
  },
};

function print(rows: readonly Row[], terminal: Terminal): void {
  terminal.table<Row>(
    [
      { head: "ID", value: ({ task_id }) => task_id.slice(0, 8), style: "dim" },
      { head: "FILE", value: ({ filename }) => filename, gives: true },
      { head: "STATUS", value: ({ status }) => status },
      { head: "STEP", value: stepOf, gives: true, spare: true },
      {
        head: "TIME",
        value: (row) => describeSeconds(row.total_time_seconds ?? row.elapsed_time_seconds ?? 0),
        align: "right",
        spare: true,
      },
      { head: "ASKED", value: ({ created_at }) => describeTime(created_at), spare: true },
    ],
    rows,
  );
}

function stepOf({ status, progress = 0, current_step = "", message = "" }: Row): string {
  return status === "running" ? `${Math.round(progress * 100)}% ${current_step}` : message;
}
