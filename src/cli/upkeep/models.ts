// `models list`, `get`, `use`, `remove`, `check`: other embedding models and rerankers, fetched when a person says so.
import { KnowledgeError } from "../../domain/errors.ts";
import type { ModelChange } from "../../tools/operations.ts";
import { chooseVerb } from "../arguments.ts";
import type { Command, CommandContext, OpenToolbox } from "../command.ts";

type Act = (app: OpenToolbox, name: string | undefined, context: CommandContext) => Promise<number>;

const VERBS = new Map<string, Act>([
  ["list", list],
  ["get", changing("get")],
  ["use", changing("use")],
  ["remove", changing("remove")],
  ["check", check],
]);

export const models: Command = {
  name: "models",
  effect: "write",
  summary: "Fetch and choose other models: list, get, use, remove, check",
  usage: "models list | get NAME | use NAME | remove NAME | check [NAME]",
  words: [...VERBS.keys()],
  options: {
    "accept-changes": { help: "get: accept files that differ from those fetched first" },
  },
  examples: {
    "knowledge-server models list": "see names, sizes, licences and languages",
    "knowledge-server models get multilingual-e5-small":
      "fetch a model; if interrupted, run it again to continue",
    "knowledge-server models use multilingual-e5-small":
      "use it; documents are embedded again in the background",
    "knowledge-server models use shipped": "go back to the package's own model",
  },
  async run(context) {
    const [verb, name] = context.args;
    const act = chooseVerb("models", verb, VERBS);
    return act(await context.openApp(), name, context);
  },
};

async function list({ operations }: OpenToolbox, _: string | undefined, context: CommandContext) {
  const { terminal } = context;
  const all = await operations.models();
  const stateOf = ({ installed, used }: (typeof all)[number]) => {
    if (used) return "in use";
    return installed ? "installed" : "";
  };
  if (terminal.asJson) terminal.json(all);
  else {
    terminal.table(
      [
        { head: "MODEL", value: (row) => row.name },
        { head: "KIND", value: (row) => row.kind },
        { head: "MB", value: (row) => String(row.megabytes) },
        { head: "LANGUAGES", value: (row) => row.languages, optional: true },
        { head: "LICENCE", value: (row) => row.licence, optional: true },
        { head: "STATE", value: stateOf },
      ],
      all,
    );
    if (!all.some(({ used, kind }) => used && kind === "embedding"))
      terminal.note("In use: the package's own model (shipped).");
  }
  return 0;
}

const DONE: Readonly<Record<ModelChange["action"], (name: string) => string>> = {
  get: (name) => `${name} is installed. To use it: knowledge-server models use ${name}`,
  use: (name) =>
    `${name} is chosen. Restart running servers. They embed documents again in the background; until then each document is searched with the model that embedded it.`,
  remove: (name) => `${name} is removed.`,
};

const MEGABYTE = 1024 * 1024;

function changing(action: ModelChange["action"]): Act {
  return async ({ operations }, name, { options, signal, terminal }) => {
    if (name === undefined) {
      const message = `Name the model: knowledge-server models ${action} NAME.`;
      throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", message);
    }
    const bar = terminal.progress();
    const acceptChanges = options["accept-changes"] === true;
    const work = operations.changeModel(
      { action, name, acceptChanges },
      {
        signal,
        onProgress: ({ file, done, total = 0 }) =>
          bar.update(`${file} ${Math.round(done / MEGABYTE)} MB`, done / Math.max(done, total, 1)),
      },
    );
    await work.finally(() => bar.end());
    if (terminal.asJson) terminal.json({ action, name });
    else terminal.line(DONE[action](name));
    return 0;
  };
}

async function check(
  { operations }: OpenToolbox,
  name: string | undefined,
  context: CommandContext,
) {
  const { terminal } = context;
  const checks = await terminal.during("Checking files", operations.checkModels(name));
  if (terminal.asJson) terminal.json(checks);
  else if (checks.length === 0) terminal.note("No models are installed.");
  for (const { name: each, damaged } of terminal.asJson ? [] : checks) {
    terminal.line(
      damaged.length === 0
        ? `${each}: all files are as they were fetched first.`
        : `${each}: missing or changed: ${damaged.join(", ")}. Fetch them again: knowledge-server models get ${each}`,
    );
  }
  return checks.every(({ damaged }) => damaged.length === 0) ? 0 : 1;
}
