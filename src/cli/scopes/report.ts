// An import's report: what was imported from where, and what was refused, with line and reason.
import type { Explanation, ImportReport, Refusal } from "../../tools/operations.ts";
import { labeller } from "../documents/added-table.ts";
import { numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/wrap.ts";

export function showImport(
  report: ImportReport,
  terminal: Terminal,
  { dryRun }: { readonly dryRun: boolean },
): void {
  const { sources, scopes } = report;
  const label = labeller(sources.map(({ source }) => source));
  terminal.table<ImportReport["sources"][number]>(
    [
      { head: "Source", value: (row) => label(row.source), shrinks: true },
      numbers("New", (row) => row.added),
      numbers("CHANGED", (row) => row.changed),
      numbers("Unchanged", (row) => row.unchanged, { optional: true }),
      numbers("Refused", (row) => row.refused),
    ],
    sources,
  );
  terminal.line();
  terminal.table<ImportReport["scopes"][number]>(
    [
      { head: "Scope", value: (row) => row.id, shrinks: true },
      { head: "Tier", value: (row) => row.tier },
      { head: "Parent", value: (row) => row.parent ?? "" },
      numbers("Rules", (row) => row.entries),
      { head: "Outcome", value: (row) => terminal.t(OUTCOMES[row.outcome]) },
    ],
    scopes,
  );
  showRefusals([...report.fatal, ...report.refused], terminal);
  for (const note of report.notes) terminal.note(terminal.say(note));
  showEnd(report, terminal, dryRun);
}

const OUTCOMES = {
  added: "added",
  changed: "changed",
  unchanged: "unchanged",
  refused: "refused",
} as const;

function showRefusals(refusals: readonly Refusal[], terminal: Terminal): void {
  if (refusals.length === 0) return;
  terminal.line();
  terminal.table(
    [
      {
        head: "Refused",
        value: ({ source, line }) => (line > 0 ? `${source}:${line}` : source),
      },
      { head: "Reason", value: (row) => row.reason, shrinks: true },
    ],
    refusals,
  );
}

function showEnd(report: ImportReport, terminal: Terminal, dryRun: boolean): void {
  const { applied, notInSources, removed } = report;
  const { t } = terminal;
  if (removed > 0)
    terminal.notify("Removed, because the sources no longer have them: {0|rule|rules}.", removed);
  else if (notInSources > 0)
    terminal.notify(
      "Kept although missing from the sources: {0|rule|rules}; --prune removes them.",
      notInSources,
    );
  const sum = (pick: (row: ImportReport["sources"][number]) => number) =>
    report.sources.reduce((total, row) => total + pick(row), 0);
  const refused = report.refused.length + report.fatal.length;
  const moved = report.scopes.filter(({ outcome }) => outcome === "added" || outcome === "changed");
  if (moved.length > 0) terminal.notify("{0|scope|scopes} new or changed.", moved.length);
  const [added, changed] = [sum((row) => row.added), sum((row) => row.changed)];
  terminal.notify(
    "Rules: {0} new, {1} changed, {2} unchanged, {3} refused.",
    added,
    changed,
    sum((row) => row.unchanged),
    refused,
  );
  // The tables may have cut it.
  const [first] = [...report.fatal, ...report.refused];
  if (dryRun) terminal.notify("Dry run: nothing was changed.");
  else if (!applied)
    terminal.notify(
      "The import failed, nothing was changed: {0}.",
      first?.reason ?? t("there is nothing to import"),
    );
}

const EXCERPT = 72;

export function showExplanation(explanation: Explanation, terminal: Terminal): void {
  const { chain, categories, entries } = explanation;
  terminal.line(chain.map(({ id, tier }) => `${terminal.style("bold", id)} (${tier})`).join(" → "));
  for (const { name, tier, description } of categories) {
    terminal.line();
    terminal.line(`${terminal.style("cyan", name)} (${tier})  ${description}`);
    for (const { category, keyword, winner, overridden } of entries) {
      if (category !== name) continue;
      terminal.line(`  ${terminal.style("bold", keyword)}`);
      terminal.line(`    ✓ ${winner.scope} (${winner.tier}): ${excerpt(winner.content)}`);
      for (const { scope, tier: lost, content } of overridden) {
        const line = `✗ ${scope} (${lost}): ${excerpt(content)}`;
        for (const part of wrap(line, terminal.width - 4))
          terminal.line(`    ${terminal.style("dim", part)}`);
      }
    }
  }
}

function excerpt(content: string): string {
  const flat = content.replace(/\s+/g, " ");
  return flat.length > EXCERPT ? `${flat.slice(0, EXCERPT)}…` : flat;
}
