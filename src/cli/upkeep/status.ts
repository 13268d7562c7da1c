import { isMessage } from "../../domain/phrases/messages.ts";
import { KNOWLEDGE_STATUS, type Status } from "../../tools/documents/contract.ts";
import { succeed } from "../call.ts";
import type { Command } from "../command.ts";
import { describeSize, describeTime } from "../terminal/format.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { TextKey } from "../texts.ts";

const STYLES = { healthy: "green", degraded: "yellow", unhealthy: "red" } as const;

export const status: Command = {
  name: "status",
  effect: "read",
  usage: "status",
  options: {},
  examples: ["knowledge-server status", "knowledge-server status --json"],
  async run({ openApp, terminal, signal }) {
    const app = await openApp();
    const asked = succeed(app, { contract: KNOWLEDGE_STATUS, args: {}, signal });
    const { value, payload } = await terminal.during(terminal.t("looking"), asked);
    terminal.result(payload, () => print(value, terminal));
    return value.health.vector_db_connected ? 0 : 1;
  },
};

type Row = readonly [name: string, value: string];

function print({ knowledge_base: base, health, ...rest }: Status, terminal: Terminal): void {
  const { configuration, tasks, refining, folders = [], last_updated } = rest;
  const { t, language, say } = terminal;
  const { issues = [], issue_codes: codes } = health;
  const { document_count: documents, total_chunks: passages } = base;
  const isBusy = tasks !== undefined && tasks.queued + tasks.running > 0;
  const row = (key: TextKey, value: string): Row => [t(key), value];
  terminal.fields([
    row("fieldHealth", terminal.style(STYLES[health.status], t(health.status))),
    ...(codes?.every(isMessage) ? codes.map(say) : issues).map((issue): Row => ["", `! ${issue}`]),
    row(
      "fieldDocuments",
      `${documents.toLocaleString(language)} (${describeSize(base.total_size_bytes)})`,
    ),
    row("fieldPassages", passages.toLocaleString(language)),
    ...(isBusy ? [row("fieldAdds", t("addsNow", tasks.running, tasks.queued))] : []),
    ...(refining ? [row("fieldRefining", t("refining", refining.chunks, refining.documents))] : []),
    ...folders.map((folder) => row("fieldFolder", describeFolder(folder, terminal))),
    row("fieldChanged", last_updated === undefined ? t("never") : describeTime(last_updated)),
    row("fieldModel", configuration.embedding_model),
    row("fieldDatabase", base.vector_db_path),
    row("fieldOriginals", base.storage_path),
  ]);
}

type Folder = NonNullable<Status["folders"]>[number];

function describeFolder(
  { path, files, refused: failed, watched }: Folder,
  { t }: Terminal,
): string {
  const parts = [t("countFiles", files), t(watched ? "watched" : "notWatched")];
  if (failed > 0) parts.push(t("countFailed", failed));
  return `${path} (${parts.join(t("comma"))})`;
}
