// `sources add`, `list`, `sync`, `pause`, `resume`, `remove`: sites, repositories and exports that are kept in sync.
import { toKnowledgeError } from "../../domain/errors.ts";
import {
  readInterval,
  SOURCE_KINDS,
  type Source,
  type SourceSettings,
} from "../../domain/source.ts";
import type { Operations } from "../../tools/operations.ts";
import { chooseVerb, missing } from "../arguments.ts";
import { onlyOne } from "../call.ts";
import type { Command, CommandContext, OptionValues } from "../command.ts";
import { listOf, readChoice, readNumber, readPairs, textOption } from "../options.ts";
import { describeTime } from "../terminal/format.ts";
import { numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { refusal } from "../texts.ts";
import { explain } from "./added-table.ts";

type Act = (
  operations: Operations,
  args: readonly string[],
  context: CommandContext,
) => Promise<number>;

const VERBS = new Map(
  Object.entries<Act>({
    add,
    list,
    sync: syncGiven,
    pause: pausing(true),
    resume: pausing(false),
    remove,
  }),
);

export const sources: Command = {
  name: "sources",
  effect: "destroy",
  usage: "sources add ADDRESS [--every 6h] | list | sync [ID…] | pause ID | resume ID | remove ID",
  words: [...VERBS.keys()],
  takesFiles: true,
  options: {
    kind: { value: "KIND", choices: SOURCE_KINDS },
    every: { value: "TIME" },
    include: { multiple: true, value: "GLOB" },
    exclude: { multiple: true, value: "GLOB" },
    prefix: { value: "URL" },
    depth: { value: "N" },
    "max-items": { value: "N" },
    "allow-host": { multiple: true, value: "HOST" },
    scope: { value: "SCOPE" },
    ref: { value: "REF" },
    meta: { multiple: true, value: "KEY=VALUE" },
    later: {},
    documents: {},
  },
  parameters: { address: "ADDRESS", metadata: "--meta" },
  examples: [
    "knowledge-server sources add https://docs.example.com/guide/ --every 1d",
    "knowledge-server sources add https://github.com/you/project --include 'docs/'",
    "knowledge-server sources add s3://our-docs/handbook/ --every 1h",
    "knowledge-server sources add ~/Downloads/slack-export.zip",
    "knowledge-server sources sync",
  ],
  async run(context) {
    const [name, ...args] = context.args;
    const verb = chooseVerb("sources", name, VERBS);
    return verb((await context.openApp()).operations, args, context);
  },
};

async function add(operations: Operations, args: readonly string[], context: CommandContext) {
  const { options, terminal, path } = context;
  const [given] = args;
  if (given === undefined) throw missing("ADDRESS");
  const isPath = !/^[\w.+-]+:\/\/|^[\w.-]+@[\w.-]+:/.test(given);
  const kind = readChoice(options, "kind", SOURCE_KINDS);
  const address = isPath ? path(given) : given;
  const settings = settingsOf(options);
  const source = await operations.addSource({ kind, address, settings }, "anywhere");
  if (options["later"] !== true) return syncAll(operations, [source], context);
  terminal.result(source, () => terminal.note(terminal.t("sourceAdded", source.kind, source.id)));
  return 0;
}

function settingsOf(options: OptionValues): SourceSettings {
  const texts = (name: string, as: "include" | "exclude" | "allowHosts") => {
    const given = listOf(options[name]);
    return given.length > 0 ? { [as]: given } : {};
  };
  const number = (name: string, as: "depth" | "maxItems", most: number) => {
    const given = readNumber(options, name, { least: 1, most });
    return given === undefined ? {} : { [as]: given };
  };
  const metadata = readPairs(options, "meta");
  return {
    ...textOption(options, "prefix"),
    ...textOption(options, "ref"),
    ...textOption(options, "scope"),
    ...texts("include", "include"),
    ...texts("exclude", "exclude"),
    ...texts("allow-host", "allowHosts"),
    ...number("depth", "depth", 100),
    ...number("max-items", "maxItems", 1_000_000),
    ...everyOf(options["every"]),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

function everyOf(given: OptionValues[string]): { everySeconds?: number } {
  if (typeof given !== "string") return {};
  const everySeconds = readInterval(given);
  if (everySeconds !== undefined) return { everySeconds };
  throw refusal("INVALID_PARAMETER", "takesTime", "every");
}

/** By its id, the start of it, or its address. */
async function findAll(operations: Operations, given: readonly string[]) {
  const known = await operations.sources();
  return given.map((each) => {
    const meant = known.filter(({ id, address }) => id.startsWith(each) || address === each);
    const found = onlyOne(each, meant, ({ id, address }) => `${id}  ${address}`);
    if (found) return found;
    throw refusal("RESOURCE_NOT_FOUND", "noSource", each);
  });
}

async function syncGiven(operations: Operations, args: readonly string[], context: CommandContext) {
  const chosen = args.length > 0 ? await findAll(operations, args) : await operations.sources();
  return syncAll(operations, chosen, context);
}

async function syncAll(
  operations: Operations,
  chosen: readonly Source[],
  { terminal, signal }: CommandContext,
): Promise<number> {
  const synced: (Source | { readonly id: string; readonly error: string })[] = [];
  for (const { id, address } of chosen) {
    const bar = terminal.progress();
    const onProgress = ({ fraction, found = 0 }: { fraction: number; found?: number }) =>
      bar.update(terminal.t("syncedItems", address, found), fraction);
    try {
      synced.push(await operations.syncSource({ id }, { signal, onProgress }));
    } catch (thrown) {
      signal.throwIfAborted();
      synced.push({ id, error: terminal.explain(toKnowledgeError(thrown)) });
    } finally {
      bar.end();
    }
  }
  if (terminal.asJson) terminal.json(synced);
  else for (const each of synced) report(each, terminal);
  return synced.some((each) => "error" in each || (each.lastRun?.failed ?? 0) > 0) ? 1 : 0;
}

function report(
  each: Source | { readonly id: string; readonly error: string },
  terminal: Terminal,
) {
  if ("error" in each) return terminal.note(`${each.id}: ${each.error}`);
  const { id, address, lastRun: run } = each;
  if (run === undefined) return;
  const { added, unchanged, removed, failed, failures, problem } = run;
  const counts = terminal.t("sourceCounts", added, unchanged, removed, failed);
  terminal.line(`${id}  ${address}: ${counts}`);
  for (const failure of failures) terminal.note(`  ${failure.file}: ${explain(failure, terminal)}`);
  if (problem !== undefined) terminal.note(`  ${terminal.say(problem)}`);
}

async function list(
  operations: Operations,
  _args: readonly string[],
  { terminal }: CommandContext,
) {
  const rows = await operations.sources();
  if (terminal.asJson) terminal.json(rows);
  else if (rows.length === 0) terminal.note(terminal.t("noSources"));
  else
    terminal.table<Source>(
      [
        { head: "fieldId", value: ({ id }) => id },
        { head: "headKind", value: ({ kind }) => kind },
        { head: "fieldAddress", value: ({ address }) => address, shrinks: true },
        numbers("headItems", ({ items }) => String(items)),
        { head: "headState", value: (row) => stateOf(row, terminal) },
        { head: "headLast", value: ({ lastRun }) => timeOf(lastRun?.finishedAt), optional: true },
        {
          head: "headNext",
          value: ({ nextRun, isPaused }) => (isPaused ? "" : timeOf(nextRun)),
          optional: true,
        },
      ],
      rows,
    );
  return 0;
}

function stateOf({ isPaused, task, lastRun }: Source, { t }: Terminal): string {
  if (task !== undefined) return t("syncing");
  if (isPaused) return t("paused");
  if (lastRun === undefined) return t("sourceNew");
  if (lastRun.problem !== undefined) return t("problem");
  return lastRun.failed > 0 ? t("countFailed", lastRun.failed) : t("upToDate");
}

function timeOf(iso: string | undefined): string {
  return iso === undefined ? "" : describeTime(iso);
}

function pausing(isPaused: boolean): Act {
  return async (operations, args, { terminal }) => {
    const changed: Source[] = [];
    for (const { id } of await findAll(operations, needed(args)))
      changed.push(await operations.pauseSource({ id, isPaused }));
    const state = terminal.t(isPaused ? "paused" : "resumed");
    terminal.result(changed, () => {
      for (const { id } of changed) terminal.note(`${id}: ${state}`);
    });
    return 0;
  };
}

async function remove(operations: Operations, args: readonly string[], context: CommandContext) {
  const { terminal, options } = context;
  const documents = options["documents"] === true;
  for (const { id, address } of await findAll(operations, needed(args))) {
    const removed = await operations.removeSource({ id, documents });
    const key = documents ? "sourceRemovedWith" : "sourceRemoved";
    terminal.note(terminal.t(key, address, removed));
  }
  return 0;
}

function needed(args: readonly string[]): readonly string[] {
  if (args.length > 0) return args;
  throw missing("ID");
}
