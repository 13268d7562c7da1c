import { KnowledgeError } from "../../domain/errors.ts";
import { count } from "../../text/english/count.ts";
import { STORE_KINDS, type StoreKind } from "../../tools/operations.ts";
import type { Command, OptionValues } from "../command.ts";

const LABELS = { scopes: "scopes", documents: "documents", check: "comparing searches" } as const;

export const copy: Command = {
  name: "copy",
  effect: "write",
  summary: "Copy all documents and rules between SQLite and PostgreSQL",
  usage: "copy --from sqlite|postgres --to sqlite|postgres",
  options: {
    from: { value: "STORE", choices: STORE_KINDS, help: "sqlite (the data folder) or postgres" },
    to: { value: "STORE", choices: STORE_KINDS, help: "the other one" },
  },
  examples: {
    "knowledge-server copy --from sqlite --to postgres --database-url postgres://db/knowledge":
      "move to a team's database; if interrupted, run it again",
  },
  async run({ options, openApp, terminal, signal }) {
    const request = { from: kindOf(options, "from"), to: kindOf(options, "to") };
    if (request.from === request.to) throw unusable("--from and --to must differ.");
    const app = await openApp();
    const progress = terminal.progress();
    const report = await app.operations.copy(request, {
      signal,
      onProgress: ({ step, done, total }) =>
        progress.update(`${LABELS[step]} ${done}/${total}`, total === 0 ? 1 : done / total),
    });
    progress.end();
    if (terminal.asJson) terminal.json(report);
    else {
      terminal.line(
        `Copied ${count(report.documents, "document")} (${count(report.chunks, "passage")}) and ` +
          `${count(report.scopes, "scope")}; ${report.alreadyThere} were already there.`,
      );
      terminal.line(
        `${report.agreeing} of ${report.searches} sample searches return the same results.`,
      );
      if (report.withoutOriginal > 0)
        terminal.note(`Without their original file: ${count(report.withoutOriginal, "document")}.`);
      if (report.withoutMetadata > 0)
        terminal.note(
          `Without metadata, because it is damaged: ${count(report.withoutMetadata, "document")}.`,
        );
      if (report.openTasks > 0)
        terminal.note(`Unfinished and not copied: ${count(report.openTasks, "add")}.`);
    }
    return report.agreeing === report.searches ? 0 : 1;
  },
};

function kindOf(options: OptionValues, name: "from" | "to"): StoreKind {
  const kind = STORE_KINDS.find((each) => each === options[name]);
  if (kind) return kind;
  throw unusable(`--${name} takes one of: ${STORE_KINDS.join(", ")}.`);
}

function unusable(message: string): KnowledgeError {
  return new KnowledgeError("INVALID_PARAMETER", message);
}
