import { count } from "../../text/english/count.ts";
import { KNOWLEDGE_STATUS, type Status } from "../../tools/documents/contract.ts";
import { succeed } from "../call.ts";
import type { Command } from "../command.ts";
import { describeRefining, describeSize, describeTime } from "../terminal/format.ts";
import type { Terminal } from "../terminal/terminal.ts";

const STYLES = { healthy: "green", degraded: "yellow", unhealthy: "red" } as const;

export const status: Command = {
  name: "status",
  effect: "read",
  summary: "Show size and health of the knowledge base",
  usage: "status",
  options: {},
  examples: {
    "knowledge-server status": "documents, health, adds in progress",
    "knowledge-server status --json": "the same as JSON, for scripts",
  },
  async run({ openApp, terminal, signal }) {
    const app = await openApp();
    const asked = succeed(app, { contract: KNOWLEDGE_STATUS, args: {}, signal });
    const { value, payload } = await terminal.during("Looking", asked);
    if (terminal.asJson) terminal.json(payload);
    else print(value, terminal);
    return value.health.vector_db_connected ? 0 : 1;
  },
};

type Row = readonly [name: string, value: string];

function print({ knowledge_base: base, health, ...rest }: Status, terminal: Terminal): void {
  const { configuration, tasks, refining, folders = [], last_updated } = rest;
  const rows: Row[] = [
    ["Health", terminal.style(STYLES[health.status], health.status)],
    ...(health.issues ?? []).map((issue): Row => ["", `! ${issue}`]),
    [
      "Documents",
      `${base.document_count.toLocaleString("en")} (${describeSize(base.total_size_bytes)})`,
    ],
    ["Passages", base.total_chunks.toLocaleString("en")],
  ];
  if (tasks !== undefined && tasks.queued + tasks.running > 0) {
    rows.push(["Adds", `${tasks.running} running, ${tasks.queued} waiting`]);
  }
  if (refining !== undefined) rows.push(["Refining", describeRefining(refining)]);
  rows.push(...folders.map((folder): Row => ["Folder", describeFolder(folder)]));
  rows.push(
    ["Changed", last_updated === undefined ? "never" : describeTime(last_updated)],
    ["Model", configuration.embedding_model],
    ["Database", base.vector_db_path],
    ["Originals", base.storage_path],
  );
  terminal.fields(rows);
}

type Folder = NonNullable<Status["folders"]>[number];

function describeFolder({ path, files, refused: failed, watched }: Folder): string {
  const parts = [count(files, "file"), watched ? "watched" : "not watched now"];
  if (failed > 0) parts.push(`${failed} failed`);
  return `${path} (${parts.join(", ")})`;
}
