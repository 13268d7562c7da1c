// `models list`, `get`, `use`, `remove`, `check`: other embedding models and rerankers, fetched when a person says so.
import type { ModelChange } from "../../tools/operations.ts";
import { chooseVerb, missing } from "../arguments.ts";
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
  usage: "models list | get NAME | use NAME | remove NAME | check [NAME]",
  words: [...VERBS.keys()],
  options: {
    "accept-changes": {},
  },
  examples: [
    "knowledge-server models list",
    "knowledge-server models get multilingual-e5-small",
    "knowledge-server models use multilingual-e5-small",
    "knowledge-server models use shipped",
  ],
  async run(context) {
    const [verb, name] = context.args;
    const act = chooseVerb("models", verb, VERBS);
    return act(await context.openApp(), name, context);
  },
};

async function list({ operations }: OpenToolbox, _: string | undefined, context: CommandContext) {
  const { terminal } = context;
  const { t } = terminal;
  const all = await operations.models();
  const stateOf = ({ installed, used }: (typeof all)[number]) => {
    if (used) return t("modelInUse");
    return installed ? t("modelInstalled") : "";
  };
  if (terminal.asJson) terminal.json(all);
  else {
    terminal.table(
      [
        { head: "fieldModel", value: (row) => row.name },
        { head: "headKind", value: (row) => row.kind },
        { head: "headMegabytes", value: (row) => String(row.megabytes), align: "right" },
        { head: "headLanguages", value: (row) => row.languages, optional: true },
        { head: "headLicence", value: (row) => row.licence, optional: true },
        { head: "headState", value: stateOf },
      ],
      all,
    );
    if (!all.some(({ used, kind }) => used && kind === "embedding"))
      terminal.note(t("shippedInUse"));
  }
  return 0;
}

const DONE = { get: "modelGot", use: "modelChosen", remove: "modelRemoved" } as const;

const MEGABYTE = 1024 * 1024;

function changing(action: ModelChange["action"]): Act {
  return async ({ operations }, name, { options, signal, terminal }) => {
    if (name === undefined) throw missing("NAME");
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
    terminal.result({ action, name }, () => terminal.line(terminal.t(DONE[action], name)));
    return 0;
  };
}

async function check(
  { operations }: OpenToolbox,
  name: string | undefined,
  context: CommandContext,
) {
  const { terminal } = context;
  const checks = await terminal.during(terminal.t("checkingFiles"), operations.checkModels(name));
  terminal.result(checks, () => {
    if (checks.length === 0) terminal.note(terminal.t("noModels"));
    for (const { name: each, damaged } of checks) {
      const key = damaged.length === 0 ? "modelSound" : "modelDamaged";
      terminal.line(terminal.t(key, each, damaged.join(", ")));
    }
  });
  return checks.every(({ damaged }) => damaged.length === 0) ? 0 : 1;
}
