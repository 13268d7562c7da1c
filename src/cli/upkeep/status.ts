import type { Command } from "../command.ts";
import { describeRefining } from "../terminal/refining.ts";
import { describeSize, describeTime } from "../terminal/size.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface Payload {
  readonly knowledge_base: {
    readonly document_count: number;
    readonly total_chunks: number;
    readonly total_size_bytes: number;
    readonly storage_path: string;
    readonly vector_db_path: string;
  };
  readonly health: { readonly status: string; readonly issues?: readonly string[] };
  readonly configuration: { readonly embedding_model: string; readonly max_file_size_mb: number };
  readonly tasks?: { readonly queued: number; readonly running: number };
  readonly refining?: { readonly documents: number; readonly chunks: number };
  readonly folders?: readonly {
    readonly path: string;
    readonly files: number;
    readonly refused: number;
    readonly watched: boolean;
  }[];
  readonly last_updated: string | null;
}

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
    const { payload } = await app.call("knowledge-status", {}, { signal });
    const found = payload as Payload;
    if (terminal.asJson) terminal.json(found);
    else print(found, terminal);
    return found.health.status === "unhealthy" ? 1 : 0;
  },
};

function print({ knowledge_base: base, health, ...rest }: Payload, terminal: Terminal): void {
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
  row("changed", last_updated === null ? "never" : describeTime(last_updated));
  row("model", configuration.embedding_model);
  row("database", base.vector_db_path);
  row("originals", base.storage_path);
}
