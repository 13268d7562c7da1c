import { KNOWLEDGE_STATUS, type Status } from "../../tools/documents/contract.ts";
import { call } from "../call.ts";
import type { Command } from "../command.ts";
import { describeRefining } from "../terminal/refining.ts";
import { refused } from "../terminal/refused.ts";
import { describeSize, describeTime } from "../terminal/size.ts";
import type { Terminal } from "../terminal/terminal.ts";

const STYLES: Readonly<Record<string, "green" | "yellow" | "red">> = {
  healthy: "green",
  degraded: "yellow",
};

export const status: Command = {
  name: "status",
  effect: "read",
  summary: "Size and health of the knowledge base",
  usage: "status",
  options: {},
  examples: [{ line: "knowledge-server status --json", does: "the same for a script" }],
  async run({ openApp, terminal, signal }) {
    const app = await openApp();
    const outcome = await call(app, { contract: KNOWLEDGE_STATUS, args: {}, signal });
    if (outcome.kind === "refused") throw refused(outcome.error);
    if (terminal.asJson) terminal.json(outcome.payload);
    else print(outcome.value, terminal);
    return outcome.value.health.vector_db_connected ? 0 : 1;
  },
};

function print({ knowledge_base: base, health, ...rest }: Status, terminal: Terminal): void {
  const { configuration, tasks, refining, folders = [], last_updated } = rest;
  const row = (name: string, value: string) =>
    terminal.line(`${terminal.style("bold", name.padEnd(12))} ${value}`);
  row("health", terminal.style(STYLES[health.status] ?? "red", health.status));
  for (const issue of health.issues ?? []) row("", `! ${issue}`);
  row("documents", `${base.document_count} (${describeSize(base.total_size_bytes)})`);
  row("chunks", String(base.total_chunks));
  if (tasks !== undefined && tasks.queued + tasks.running > 0) {
    row("adds", `${tasks.running} running, ${tasks.queued} waiting`);
  }
  if (refining !== undefined) row("refining", describeRefining(refining));
  for (const { path, files, refused, watched } of folders) {
    const state = watched ? "followed" : "not followed now";
    row("folder", `${path} (${files} files${refused > 0 ? `, ${refused} refused` : ""}, ${state})`);
  }
  row("changed", last_updated === undefined ? "never" : describeTime(last_updated));
  row("model", configuration.embedding_model);
  row("database", base.vector_db_path);
  row("originals", base.storage_path);
}
