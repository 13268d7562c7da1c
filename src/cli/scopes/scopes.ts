// `scopes import`, `export`, `show`, `check`, `list`, `tree`, `move`: rules for people and for scripts.

import { defined } from "../../domain/defined.ts";
import { toEnglish } from "../../domain/phrases/messages.ts";
import { EXPORT_FORMATS, TIERS } from "../../domain/scope.ts";
import { onlyArgument } from "../arguments.ts";
import { type CommandContext, commandWithVerbs } from "../command.ts";
import { numbers } from "../terminal/table.ts";
import { showExplanation, showImport } from "./report.ts";
import { moveScope, type ScopeSummary, showTree } from "./tree.ts";

const OPTIONS = {
  scope: { help: "import: scope to import into (default: the folder's name)", value: "ID" },
  tier: { help: "import: its tier", value: "TIER", choices: TIERS },
  parent: { help: "import, move: the scope it inherits from", value: "ID" },
  prune: { help: "import: also remove entries missing from the sources; implies --strict" },
  guides: { help: "import: include other Markdown files, such as docs" },
  replace: { help: "import: let existing scopes change tier or parent" },
  strict: { help: "import: change nothing if any entry is refused" },
  "dry-run": { help: "import: only show what would change" },
  format: {
    help: "export: how it is written (default json)",
    value: "FORMAT",
    choices: EXPORT_FORMATS,
  },
  yes: { help: "move: without asking", short: "y" },
  explain: { help: "show: which scope each rule comes from, and what it overrides" },
} as const;

type Context = CommandContext<typeof OPTIONS>;

export const scopes = commandWithVerbs({
  name: "scopes",
  summary: "Manage rules: import, export, show, check, list, tree, move",
  effect: "write",
  usage:
    "scopes import PATH… | export [ID…] | show ID [--explain] | check | list | tree | move ID --parent ID",
  takesFiles: true,
  options: OPTIONS,
  examples: `
    knowledge-server scopes import rules.yaml                   # import scopes from a file
    knowledge-server scopes import ~/src/shop --parent company  # import a project's AGENTS.md, Cursor, Copilot and skill files
    knowledge-server scopes show shop --explain                 # see which scope each rule comes from
  `,
  verbs: {
    import: importRules,
    export: exportRules,
    show: showRules,
    check: checkRules,
    list: listScopes,
    tree: showTree,
    move: moveScope,
  },
});

async function importRules({ args, options, openApp, terminal }: Context): Promise<number> {
  const { operations } = await openApp();
  const { "dry-run": dryRun, scope, parent, tier } = options;
  const { prune, guides, strict, replace } = options;
  const how = { prune, guides, strict, replace };
  const run = dryRun ? operations.previewRules : operations.importRules;
  const work = run(args, { ...how, ...defined({ scope, parent, tier }) });
  const report = await terminal.during(terminal.t("Reading rules"), work);
  terminal.result(report, () => showImport(report, terminal, { dryRun }));
  return report.applied || dryRun ? 0 : 2;
}

async function rulesOf({ openApp }: Context) {
  return (await openApp()).operations.rules();
}

async function exportRules(context: Context): Promise<number> {
  const { args: ids, options, terminal } = context;
  const rules = await rulesOf(context);
  const text = await rules.export(options.format ?? "json", ids.length === 0 ? undefined : ids);
  terminal.document(text.trimEnd());
  return 0;
}

async function showRules(context: Context): Promise<number> {
  const { args, options, terminal } = context;
  const id = onlyArgument(args, "ID");
  const rules = await rulesOf(context);
  if (terminal.asJson) terminal.json(await rules.explain(id));
  else if (options.explain) showExplanation(await rules.explain(id), terminal);
  else terminal.document((await rules.page(id)).trimEnd());
  return 0;
}

async function checkRules(context: Context): Promise<number> {
  const { terminal } = context;
  const findings = await (await rulesOf(context)).check();
  const warnings = findings.filter((finding) => finding.level === "warning").length;
  const inEnglish = findings.map((each) => ({ ...each, message: toEnglish(each.message) }));
  terminal.result(inEnglish, () => {
    if (findings.length === 0) return terminal.report("No findings.");
    terminal.table<(typeof findings)[number]>(
      [
        { head: "Level", value: (row) => terminal.t(row.level) },
        { head: "Finding", value: (row) => row.kind },
        {
          head: "Where",
          value: (row) => [row.scope, row.category, row.keyword].filter(Boolean).join(" › "),
        },
        { head: "What", value: (row) => terminal.say(row.message), shrinks: true },
      ],
      findings,
    );
    terminal.notify("{0|warning|warnings}, {1|note|notes}", warnings, findings.length - warnings);
    if (findings.some(({ kind }) => kind === "empty-description"))
      terminal.notify(
        "To add descriptions: knowledge-server scopes export --format yaml > rules.yaml, fill them in, then knowledge-server scopes import rules.yaml.",
      );
  });
  return warnings > 0 ? 1 : 0;
}

async function listScopes(context: Context): Promise<number> {
  context.terminal.list<ScopeSummary>(
    await (await rulesOf(context)).list(),
    [
      { head: "Scope", value: (row) => row.id, shrinks: true },
      { head: "Tier", value: (row) => row.tier },
      { head: "Parent", value: (row) => row.parent ?? "" },
      numbers("Categories", (row) => row.categoryCount, { optional: true }),
      numbers("Rules", (row) => row.entryCount),
      {
        head: "Description",
        value: (row) => row.description ?? "",
        shrinks: true,
        optional: true,
      },
    ],
    "There are no scopes yet. Import some with `knowledge-server scopes import PATH`.",
  );
  return 0;
}
