// `models list`, `get`, `use`, `remove`, `check`: other embedding models and rerankers, fetched when a person says so.
import type { ModelChange } from "../../tools/operations.ts";
import { onlyArgument } from "../arguments.ts";
import { type CommandContext, commandWithVerbs } from "../command.ts";
import { numbers } from "../terminal/table.ts";

const OPTIONS = {
  "accept-changes": { help: "get: accept files that differ from those fetched first" },
} as const;

type Context = CommandContext<typeof OPTIONS>;

export const models = commandWithVerbs({
  name: "models",
  summary: "Fetch and choose other models: list, get, use, remove, check",
  effect: "write",
  usage: "models list | get NAME | use NAME | remove NAME | check [NAME]",
  options: OPTIONS,
  examples: `
    knowledge-server models list                       # see names, sizes, licences and languages
    knowledge-server models get multilingual-e5-small  # fetch a model; if interrupted, run it again to continue
    knowledge-server models use multilingual-e5-small  # use it; documents are embedded again in the background
    knowledge-server models use shipped                # go back to the package's own model
  `,
  verbs: { list, get: changing("get"), use: changing("use"), remove: changing("remove"), check },
});

async function list({ openApp, terminal }: Context): Promise<number> {
  const { t } = terminal;
  const all = await (await openApp()).operations.models();
  const stateOf = ({ installed, used }: (typeof all)[number]) => {
    if (used) return t("in use");
    return installed ? t("installed") : "";
  };
  const isShipped = !all.some(({ used, kind }) => used && kind === "embedding");
  terminal.result(all, () => {
    terminal.table<(typeof all)[number]>(
      [
        { head: "Model", value: (row) => row.name },
        { head: "Kind", value: (row) => row.kind },
        numbers("MB", (row) => row.megabytes),
        { head: "Languages", value: (row) => row.languages, optional: true },
        { head: "Licence", value: (row) => row.licence, optional: true },
        { head: "State", value: stateOf },
      ],
      all,
    );
    if (isShipped) terminal.notify("In use: the package's own model (shipped).");
  });
  return 0;
}

const DONE = {
  get: "{0} is installed. To use it: knowledge-server models use {0}",
  use: "{0} is chosen. Restart running servers. For another embedding model they embed documents again in the background; until then each document is searched with the model that embedded it.",
  remove: "{0} is removed.",
} as const;

const MEGABYTE = 1024 * 1024;

function changing(action: ModelChange["action"]) {
  return async ({ args, options, openApp, signal, terminal }: Context): Promise<number> => {
    const name = onlyArgument(args, "NAME");
    const { operations } = await openApp();
    const change = { action, name, acceptChanges: options["accept-changes"] };
    await terminal.track(({ update }) =>
      operations.changeModel(change, {
        signal,
        onProgress: ({ file, done, total = 0 }) =>
          update(`${file} ${Math.round(done / MEGABYTE)} MB`, done / Math.max(done, total, 1)),
      }),
    );
    terminal.result({ action, name }, () => terminal.report(DONE[action], name));
    return 0;
  };
}

async function check({ args: [name], openApp, terminal }: Context): Promise<number> {
  const { operations } = await openApp();
  const label = terminal.t("Checking files");
  const checks = await terminal.during(label, operations.checkModels(name));
  terminal.result(checks, () => {
    if (checks.length === 0) terminal.notify("No models are installed.");
    for (const { name: each, damaged } of checks) {
      if (damaged.length === 0)
        terminal.report("{0}: all files are as they were fetched first.", each);
      else
        terminal.report(
          "{0}: missing or changed: {1}. Fetch them again: knowledge-server models get {0}",
          each,
          damaged.join(", "),
        );
    }
  });
  return checks.every(({ damaged }) => damaged.length === 0) ? 0 : 1;
}
