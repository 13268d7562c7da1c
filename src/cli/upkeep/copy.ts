import { type CopyReport, STORE_KINDS } from "../../tools/operations.ts";
import { missing } from "../arguments.ts";
import type { Command } from "../command.ts";
import { readChoice } from "../options.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { refusal } from "../texts.ts";

const STEPS = {
  scopes: "copyingScopes",
  documents: "copyingDocuments",
  check: "copyingCheck",
} as const;

export const copy: Command = {
  name: "copy",
  effect: "write",
  usage: "copy --from sqlite|postgres --to sqlite|postgres",
  options: {
    from: { value: "STORE", choices: STORE_KINDS },
    to: { value: "STORE", choices: STORE_KINDS },
  },
  examples: [
    "knowledge-server copy --from sqlite --to postgres --database-url postgres://db/knowledge",
  ],
  async run({ options, openApp, terminal, signal }) {
    const from = readChoice(options, "from", STORE_KINDS);
    const to = readChoice(options, "to", STORE_KINDS);
    if (from === undefined || to === undefined) throw missing("--from, --to");
    if (from === to) throw refusal("INVALID_PARAMETER", "mustDiffer");
    const app = await openApp();
    const progress = terminal.progress();
    const report = await app.operations.copy(
      { from, to },
      {
        signal,
        onProgress: ({ step, done, total }) =>
          progress.update(terminal.t(STEPS[step], done, total), total === 0 ? 1 : done / total),
      },
    );
    progress.end();
    terminal.result(report, () => show(report, terminal));
    return report.agreeing === report.searches ? 0 : 1;
  },
};

function show(report: CopyReport, terminal: Terminal): void {
  const { t } = terminal;
  const { documents, chunks, scopes, alreadyThere } = report;
  terminal.line(t("copied", documents, chunks, scopes, alreadyThere));
  terminal.line(t("copyAgrees", report.agreeing, report.searches));
  if (report.withoutOriginal > 0) terminal.note(t("withoutOriginal", report.withoutOriginal));
  if (report.withoutMetadata > 0) terminal.note(t("withoutMetadata", report.withoutMetadata));
  if (report.openTasks > 0) terminal.note(t("notCopied", report.openTasks));
}
