// `scopes import`, `export`, `show`, `check`, `list`, `tree`, `move`: rules for people and for scripts.
import { defined } from "../../domain/defined.ts";
import { EXPORT_FORMATS, TIERS } from "../../domain/scope.ts";
import type { Operations, RuleOperations } from "../../tools/operations.ts";
import { chooseVerb, missing } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import { readChoice, textOption } from "../options.ts";
import { numbers } from "../terminal/table.ts";
import { showExplanation, showImport } from "./report.ts";
import { moveScope, showTree } from "./tree.ts";

type Act<Given> = (
  given: Given,
  args: readonly string[],
  context: CommandContext,
) => Promise<number>;

const VERBS = new Map(
  Object.entries<Act<Operations>>({
    import: importRules,
    export: reading(exportRules),
    show: reading(showRules),
    check: reading(checkRules),
    list: reading(listScopes),
    tree: reading((rules, _args, context) => showTree(rules, context)),
    move: reading(moveScope),
  }),
);

function reading(act: Act<RuleOperations>): Act<Operations> {
  return async (operations, args, context) => act(await operations.rules(), args, context);
}

export const scopes: Command = {
  name: "scopes",
  effect: "write",
  usage:
    "scopes import PATH… | export [ID…] | show ID [--explain] | check | list | tree | move ID --parent ID",
  words: [...VERBS.keys()],
  takesFiles: true,
  options: {
    scope: { value: "ID" },
    tier: { value: "TIER", choices: TIERS },
    parent: { value: "ID" },
    prune: {},
    guides: {},
    replace: {},
    strict: {},
    "dry-run": {},
    format: { value: "FORMAT", choices: EXPORT_FORMATS },
    yes: { short: "y" },
    explain: {},
  },
  examples: [
    "knowledge-server scopes import rules.yaml",
    "knowledge-server scopes import ~/src/shop --parent company",
    "knowledge-server scopes show shop --explain",
  ],
  async run(context) {
    const [name, ...args] = context.args;
    const verb = chooseVerb("scopes", name, VERBS);
    const { operations } = await context.openApp();
    return verb(operations, args, context);
  },
};

async function importRules(
  operations: Operations,
  paths: readonly string[],
  { options, path, terminal }: CommandContext,
): Promise<number> {
  const dryRun = options["dry-run"] === true;
  const run = dryRun ? operations.previewRules : operations.importRules;
  const work = run(paths.map(path), {
    ...textOption(options, "scope"),
    ...textOption(options, "parent"),
    ...defined({ tier: readChoice(options, "tier", TIERS) }),
    prune: options["prune"] === true,
    guides: options["guides"] === true,
    strict: options["strict"] === true,
    replace: options["replace"] === true,
  });
  const report = await terminal.during(terminal.t("readingRules"), work);
  terminal.result(report, () => showImport(report, terminal, { dryRun }));
  return report.applied || dryRun ? 0 : 2;
}

async function exportRules(
  rules: RuleOperations,
  ids: readonly string[],
  { options, terminal }: CommandContext,
): Promise<number> {
  const format = readChoice(options, "format", EXPORT_FORMATS) ?? "json";
  const text = await rules.export(format, ids.length === 0 ? undefined : ids);
  terminal.document(text.trimEnd());
  return 0;
}

async function showRules(
  rules: RuleOperations,
  [id]: readonly string[],
  { options, terminal }: CommandContext,
): Promise<number> {
  if (id === undefined) throw missing("ID");
  if (terminal.asJson) terminal.json(await rules.explain(id));
  else if (options["explain"] === true) showExplanation(await rules.explain(id), terminal);
  else terminal.document((await rules.page(id)).trimEnd());
  return 0;
}

async function checkRules(
  rules: RuleOperations,
  _args: readonly string[],
  { terminal }: CommandContext,
): Promise<number> {
  const { t } = terminal;
  const findings = await rules.check();
  const warnings = findings.filter((finding) => finding.level === "warning").length;
  if (terminal.asJson) terminal.json(findings);
  else if (findings.length === 0) terminal.line(t("noFindings"));
  else {
    terminal.table(
      [
        { head: "headLevel", value: (row) => row.level },
        { head: "headFinding", value: (row) => row.kind },
        {
          head: "headWhere",
          value: (row) => [row.scope, row.category, row.keyword].filter(Boolean).join(" › "),
        },
        { head: "headWhat", value: (row) => row.message, shrinks: true },
      ],
      findings,
    );
    terminal.note(t("findings", warnings, findings.length - warnings));
    if (findings.some(({ kind }) => kind === "empty-description"))
      terminal.note(t("howToDescribe"));
  }
  return warnings > 0 ? 1 : 0;
}

type ScopeSummary = Awaited<ReturnType<RuleOperations["list"]>>[number];

async function listScopes(
  rules: RuleOperations,
  _args: readonly string[],
  { terminal }: CommandContext,
): Promise<number> {
  const all = await rules.list();
  if (terminal.asJson) terminal.json(all);
  else if (all.length === 0) terminal.note(terminal.t("noScopes"));
  else {
    terminal.table<ScopeSummary>(
      [
        { head: "fieldScope", value: (row) => row.id, shrinks: true },
        { head: "headTier", value: (row) => row.tier },
        { head: "headParent", value: (row) => row.parent ?? "" },
        numbers("headCategories", (row) => row.categoryCount, { optional: true }),
        numbers("headRules", (row) => row.entryCount),
        {
          head: "headDescription",
          value: (row) => row.description ?? "",
          shrinks: true,
          optional: true,
        },
      ],
      all,
    );
  }
  return 0;
}
