// `scopes import`, `export`, `show`, `check`, `list`, `tree`, `move`: rules for people and for scripts.
import { KnowledgeError } from "../../domain/errors.ts";
import { EXPORT_FORMATS, TIERS, type Tier } from "../../domain/scope.ts";
import { count } from "../../text/english/count.ts";
import type { Operations, RuleOperations } from "../../tools/operations.ts";
import { chooseVerb } from "../arguments.ts";
import type { Command, CommandContext, OptionValues } from "../command.ts";
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
  summary: "Manage rules: import, export, show, check, list, tree, move",
  usage:
    "scopes import PATH… | export [ID…] | show ID [--explain] | check | list | tree | move ID --parent ID",
  words: [...VERBS.keys()],
  takesFiles: true,
  options: {
    scope: { value: "ID", help: "import: scope to import into (default: the folder's name)" },
    tier: {
      value: "TIER",
      choices: TIERS,
      help: `import: its tier, one of ${TIERS.join(", ")}`,
    },
    parent: { value: "ID", help: "import, move: the scope it inherits from" },
    prune: { help: "import: also remove entries missing from the sources; implies --strict" },
    bullets: { help: "import: make every bullet of a list an entry" },
    guides: { help: "import: include other Markdown files, such as docs" },
    replace: { help: "import: let existing scopes change tier or parent" },
    strict: { help: "import: change nothing if any entry is refused" },
    "dry-run": { help: "import: only show what would change" },
    format: {
      value: "FORMAT",
      choices: EXPORT_FORMATS,
      help: `export: ${EXPORT_FORMATS.join(" or ")} (default json)`,
    },
    yes: { short: "y", help: "move: do not ask for confirmation" },
    explain: { help: "show: which scope each rule comes from, and what it overrides" },
  },
  examples: {
    "knowledge-server scopes import rules.yaml": "import scopes from a file",
    "knowledge-server scopes import ~/src/shop --parent company":
      "import a project's AGENTS.md, Cursor, Copilot and skill files",
    "knowledge-server scopes show shop --explain": "see which scope each rule comes from",
  },
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
  const text = (name: string) => {
    const value = options[name];
    return typeof value === "string" ? { [name]: value } : {};
  };
  const dryRun = options["dry-run"] === true;
  const run = dryRun ? operations.previewRules : operations.importRules;
  const work = run(paths.map(path), {
    ...text("scope"),
    ...text("parent"),
    ...tierOf(options),
    prune: options["prune"] === true,
    bullets: options["bullets"] === true,
    guides: options["guides"] === true,
    strict: options["strict"] === true,
    replace: options["replace"] === true,
  });
  const report = await terminal.during("Reading rules", work);
  if (terminal.asJson) terminal.json(report);
  else showImport(report, terminal, { dryRun });
  return report.applied || dryRun ? 0 : 2;
}

function tierOf(options: OptionValues): { tier?: Tier } {
  const wanted = options["tier"];
  if (typeof wanted !== "string") return {};
  const tier = TIERS.find((one) => one === wanted.toUpperCase());
  if (tier !== undefined) return { tier };
  throw new KnowledgeError("INVALID_PARAMETER", `--tier must be one of ${TIERS.join(", ")}.`);
}

async function exportRules(
  rules: RuleOperations,
  ids: readonly string[],
  { options, terminal }: CommandContext,
): Promise<number> {
  const wanted = options["format"] ?? "json";
  const format = EXPORT_FORMATS.find((one) => one === wanted);
  if (format === undefined) {
    throw new KnowledgeError(
      "INVALID_PARAMETER",
      `--format must be ${EXPORT_FORMATS.join(" or ")}.`,
    );
  }
  const text = await rules.export(format, ids.length === 0 ? undefined : ids);
  terminal.document(text.trimEnd());
  return 0;
}

async function showRules(
  rules: RuleOperations,
  [id]: readonly string[],
  { options, terminal }: CommandContext,
): Promise<number> {
  if (id === undefined) {
    throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Specify the scope to show.");
  }
  if (terminal.asJson) terminal.json(await rules.explain(id));
  else if (options["explain"] === true) showExplanation(await rules.explain(id), terminal);
  else terminal.document((await rules.page(id)).trimEnd());
  return 0;
}

const HOW_TO_DESCRIBE =
  "To add descriptions: knowledge-server scopes export --format yaml > rules.yaml, fill them in, then knowledge-server scopes import rules.yaml.";

async function checkRules(
  rules: RuleOperations,
  _args: readonly string[],
  { terminal }: CommandContext,
): Promise<number> {
  const findings = await rules.check();
  const warnings = findings.filter((finding) => finding.level === "warning").length;
  if (terminal.asJson) terminal.json(findings);
  else if (findings.length === 0) terminal.line("No findings.");
  else {
    terminal.table(
      [
        { head: "LEVEL", value: (row) => row.level },
        { head: "FINDING", value: (row) => row.kind },
        {
          head: "WHERE",
          value: (row) => [row.scope, row.category, row.keyword].filter(Boolean).join(" › "),
        },
        { head: "WHAT", value: (row) => row.message, shrinks: true },
      ],
      findings,
    );
    terminal.note(`${count(warnings, "warning")}, ${count(findings.length - warnings, "note")}`);
    if (findings.some(({ kind }) => kind === "empty-description")) terminal.note(HOW_TO_DESCRIBE);
  }
  return warnings > 0 ? 1 : 0;
}

const NO_SCOPES =
  "There are no scopes yet. Import some with `knowledge-server scopes import PATH`.";

type ScopeSummary = Awaited<ReturnType<RuleOperations["list"]>>[number];

async function listScopes(
  rules: RuleOperations,
  _args: readonly string[],
  { terminal }: CommandContext,
): Promise<number> {
  const all = await rules.list();
  if (terminal.asJson) terminal.json(all);
  else if (all.length === 0) terminal.note(NO_SCOPES);
  else {
    terminal.table<ScopeSummary>(
      [
        { head: "SCOPE", value: (row) => row.id, shrinks: true },
        { head: "TIER", value: (row) => row.tier },
        { head: "PARENT", value: (row) => row.parent ?? "" },
        numbers("CATEGORIES", (row) => row.categoryCount, { optional: true }),
        numbers("RULES", (row) => row.entryCount),
        {
          head: "DESCRIPTION",
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
