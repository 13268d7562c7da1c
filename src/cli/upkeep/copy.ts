import { type CopyReport, STORE_KINDS } from "../../tools/operations.ts";
import { missing } from "../arguments.ts";
import { command } from "../command.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { refusal } from "../texts.ts";

const STEPS = {
  scopes: "scopes {0}/{1}",
  documents: "documents {0}/{1}",
} as const;

export const copy = command({
  name: "copy",
  summary: "Copy all documents and rules between SQLite and PostgreSQL",
  effect: "write",
  usage: "copy --from sqlite|postgres --to sqlite|postgres",
  options: {
    from: { help: "sqlite (the data folder) or postgres", value: "STORE", choices: STORE_KINDS },
    to: { help: "the other one", value: "STORE", choices: STORE_KINDS },
  },
  examples: `
    knowledge-server copy --from sqlite --to postgres --database-url postgres://db/knowledge  # move to a team's database; if interrupted, run it again
  `,
  async run({ options: { from, to }, openApp, terminal, signal }) {
    if (from === undefined || to === undefined) throw missing("--from, --to");
    if (from === to) throw refusal("INVALID_PARAMETER", "--from and --to must differ.");
    const { operations } = await openApp();
    const report = await terminal.track(({ update }) => {
      const onProgress: Parameters<typeof operations.copy>[1]["onProgress"] = (at) =>
        update(
          terminal.t(STEPS[at.step], at.done, at.total),
          at.total === 0 ? 1 : at.done / at.total,
        );
      return operations.copy({ from, to }, { signal, onProgress });
    });
    terminal.result(report, () => show(report, terminal));
    return 0;
  },
});

function show(report: CopyReport, terminal: Terminal): void {
  const { documents, chunks, scopes, alreadyThere } = report;
  terminal.report(
    "Copied {0|document|documents} ({1|passage|passages}) and {2|scope|scopes}; {3} were already there.",
    documents,
    chunks,
    scopes,
    alreadyThere,
  );
  if (report.withoutOriginal > 0)
    terminal.notify("Without their original file: {0|document|documents}.", report.withoutOriginal);
  if (report.withoutMetadata > 0)
    terminal.notify(
      "Without metadata, because it is damaged: {0|document|documents}.",
      report.withoutMetadata,
    );
  if (report.openTasks > 0)
    terminal.notify("Unfinished and not copied: {0|add|adds}.", report.openTasks);
}
