// An import's report: what was imported from where, and what was refused, with line and reason.
import { toEnglish } from "../../domain/phrases/messages.ts";
import { count } from "../../text/english/count.ts";
import type { Explanation, ImportReport, Refusal } from "../../tools/operations.ts";
import { labeller } from "../documents/added-table.ts";
import { numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";

export function showImport(
  report: ImportReport,
  terminal: Terminal,
  { dryRun }: { readonly dryRun: boolean },
): void {
  const { sources, scopes } = report;
  const label = labeller(sources.map(({ source }) => source));
  terminal.table<ImportReport["sources"][number]>(
    [
      { head: "SOURCE", value: (row) => label(row.source), shrinks: true },
      numbers("NEW", (row) => row.added),
      numbers("CHANGED", (row) => row.changed),
      numbers("UNCHANGED", (row) => row.unchanged, { optional: true }),
      numbers("REFUSED", (row) => row.refused),
    ],
    sources,
  );
  terminal.line();
  terminal.table<ImportReport["scopes"][number]>(
    [
      { head: "SCOPE", value: (row) => row.id, shrinks: true },
      { head: "TIER", value: (row) => row.tier },
      { head: "PARENT", value: (row) => row.parent ?? "" },
      numbers("RULES", (row) => row.entries),
      { head: "OUTCOME", value: (row) => row.outcome },
    ],
    scopes,
  );
  showRefusals([...report.fatal, ...report.refused], terminal);
  for (const note of report.notes) terminal.note(toEnglish(note));
  showEnd(report, terminal, dryRun);
}

function showRefusals(refusals: readonly Refusal[], terminal: Terminal): void {
  if (refusals.length === 0) return;
  terminal.line();
  terminal.table(
    [
      { head: "REFUSED", value: ({ source, line }) => (line > 0 ? `${source}:${line}` : source) },
      { head: "REASON", value: (row) => row.reason, shrinks: true },
    ],
    refusals,
  );
}

function showEnd(report: ImportReport, terminal: Terminal, dryRun: boolean): void {
  const { applied, notInSources, removed } = report;
  if (removed > 0)
    terminal.note(`Removed, because the sources no longer have them: ${count(removed, "rule")}.`);
  else if (notInSources > 0)
    terminal.note(
      `Kept although missing from the sources: ${count(notInSources, "rule")}; --prune removes them.`,
    );
  const sum = (pick: (row: ImportReport["sources"][number]) => number) =>
    report.sources.reduce((total, row) => total + pick(row), 0);
  const refused = report.refused.length + report.fatal.length;
  const moved = report.scopes.filter(({ outcome }) => outcome === "added" || outcome === "changed");
  if (moved.length > 0) terminal.note(`${count(moved.length, "scope")} new or changed.`);
  terminal.note(
    `Rules: ${sum((row) => row.added)} new, ${sum((row) => row.changed)} changed, ` +
      `${sum((row) => row.unchanged)} unchanged, ${refused} refused.`,
  );
  if (dryRun) terminal.note("Dry run: nothing was changed.");
  else if (!applied)
    terminal.note(`The import failed, nothing was changed: ${firstReason(report)}`);
}

/** The tables may have cut it. */
function firstReason({ fatal, refused }: ImportReport): string {
  const [first] = [...fatal, ...refused];
  return first === undefined ? "there is nothing to import." : `${first.reason}.`;
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
        terminal.line(terminal.style("dim", `    ✗ ${scope} (${lost}): ${excerpt(content)}`));
      }
    }
  }
}

function excerpt(content: string): string {
  const flat = content.replace(/\s+/g, " ");
  return flat.length > EXCERPT ? `${flat.slice(0, EXCERPT)}…` : flat;
}
