import { isMessage } from "../../domain/phrases/messages.ts";
import { KNOWLEDGE_STATUS, type Status } from "../../tools/documents/contract.ts";
import { succeed } from "../call.ts";
import { command } from "../command.ts";
import { describeSize, describeTime } from "../terminal/format.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Text } from "../texts.ts";

const STYLES = { healthy: "green", degraded: "yellow", unhealthy: "red" } as const;

export const status = command({
  name: "status",
  summary: "Show size and health of the knowledge base",
  effect: "read",
  usage: "status",
  options: {},
  examples: `
    knowledge-server status         # documents, health, adds in progress
    knowledge-server status --json  # as JSON, for scripts
  `,
  async run({ openApp, terminal, signal }) {
    const app = await openApp();
    const asked = succeed(app, { contract: KNOWLEDGE_STATUS, args: {}, signal });
    const { value, payload } = await terminal.during(terminal.t("Looking"), asked);
    terminal.result(payload, () => print(value, terminal));
    return value.health.vector_db_connected ? 0 : 1;
  },
});

type Row = readonly [name: string, value: string];

function print({ knowledge_base: base, health, ...rest }: Status, terminal: Terminal): void {
  const { configuration, tasks, refining, folders = [], last_updated } = rest;
  const { t, language, say } = terminal;
  const { issues = [], issue_codes: codes } = health;
  const { document_count: documents, total_chunks: passages } = base;
  const isBusy = tasks !== undefined && tasks.queued + tasks.running > 0;
  const row = (key: Text, value: string): Row => [t(key), value];
  terminal.fields([
    row("Health", terminal.style(STYLES[health.status], t(health.status))),
    ...(codes?.every(isMessage) ? codes.map(say) : issues).map((issue): Row => ["", `! ${issue}`]),
    row(
      "Documents",
      `${documents.toLocaleString(language)} (${describeSize(base.total_size_bytes)})`,
    ),
    row("Passages", passages.toLocaleString(language)),
    ...(isBusy ? [row("Adds", t("{0} running, {1} waiting", tasks.running, tasks.queued))] : []),
    ...(refining
      ? [
          row(
            "Refining",
            t(
              "{0|passage|passages} of {1|document|documents}, already searchable",
              refining.chunks,
              refining.documents,
            ),
          ),
        ]
      : []),
    ...folders.map((folder) => row("Folder", describeFolder(folder, terminal))),
    row("Changed", last_updated === undefined ? t("never") : describeTime(last_updated)),
    row("Model", configuration.embedding_model),
    row("Database", base.vector_db_path),
    row("Originals", base.storage_path),
  ]);
}

type Folder = NonNullable<Status["folders"]>[number];

function describeFolder(
  { path, files, refused: failed, watched }: Folder,
  { t }: Terminal,
): string {
  const parts = [t("{0|file|files}", files), t(watched ? "watched" : "not watched now")];
  if (failed > 0) parts.push(t("{0} failed", failed));
  return `${path} (${parts.join(t(", "))})`;
}
