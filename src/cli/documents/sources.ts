// `sources add`, `list`, `sync`, `pause`, `resume`, `remove`: sites, repositories and exports that are kept in sync.
import { defined } from "../../domain/defined.ts";
import { toKnowledgeError } from "../../domain/errors.ts";
import {
  readInterval,
  SOURCE_KINDS,
  type Source,
  type SourceSettings,
} from "../../domain/source.ts";
import type { Operations } from "../../tools/operations.ts";
import { missing } from "../arguments.ts";
import { onlyOne } from "../call.ts";
import { type CommandContext, commandWithVerbs } from "../command.ts";
import { describeTime } from "../terminal/format.ts";
import { numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { refusal } from "../texts.ts";
import { explain } from "./added-table.ts";

const OPTIONS = {
  kind: {
    help: "add: what it is (default: by the address)",
    value: "KIND",
    choices: SOURCE_KINDS,
  },
  every: { help: "add: sync this often, such as 30m, 6h or 1d", value: "TIME" },
  include: { help: "add: only these paths", value: "GLOB…" },
  exclude: { help: "add: not these paths", value: "GLOB…" },
  prefix: { help: "add: only pages whose address begins with this", value: "URL" },
  depth: {
    help: "add: follow at most this many links from the start",
    value: "N",
    range: [0, 100],
  },
  "max-items": {
    help: "add: at most this many pages or files (default 10000)",
    value: "N",
    range: [1, 1_000_000],
  },
  "allow-host": {
    help: "add: host (or host:port) that may be in your own network",
    value: "HOST…",
  },
  scope: { help: "add: where its documents belong (default general)", value: "SCOPE" },
  ref: { help: "add: branch, tag or commit of a repository", value: "REF" },
  meta: {
    help: "add: metadata of its documents",
    value: "KEY=VALUE",
  },
  later: { help: "add: leave the first sync to a running server" },
  documents: { help: "remove: also remove its documents" },
} as const;

type Context = CommandContext<typeof OPTIONS>;

export const sources = commandWithVerbs({
  name: "sources",
  summary: "Keep sites, git repositories, buckets and exports of other tools in sync",
  effect: "destroy",
  usage: "sources add ADDRESS [--every 6h] | list | sync [ID…] | pause ID | resume ID | remove ID",
  takesFiles: true,
  options: OPTIONS,
  parameters: { address: "ADDRESS", metadata: "--meta" },
  examples: `
    knowledge-server sources add https://docs.example.com/guide/ --every 1d  # add a site, and look for changes every day
    knowledge-server sources add https://github.com/you/project --include 'docs/'  # add the documentation of a repository
    knowledge-server sources add s3://our-docs/handbook/ --every 1h  # add a bucket
    knowledge-server sources add ~/Downloads/slack-export.zip       # add an export of another tool
    knowledge-server sources sync                                   # look for changes in every source now
  `,
  verbs: { add, list, sync, pause: pausing(true), resume: pausing(false), remove },
});

async function add(context: Context): Promise<number> {
  const { args, options, openApp, terminal } = context;
  const [address] = args;
  if (address === undefined) throw missing("ADDRESS");
  const settings = settingsOf(options);
  const { operations } = await openApp();
  const given = { kind: options.kind, address, settings };
  const source = await operations.addSource(given, "anywhere");
  if (!options.later) return syncAll(operations, [source], context);
  terminal.result(source, () =>
    terminal.notify("Added {0} {1}; a running server syncs it.", source.kind, source.id),
  );
  return 0;
}

function settingsOf(options: Context["options"]): SourceSettings {
  const { prefix, ref, scope, depth, every, meta } = options;
  const list = (texts: readonly string[]) => (texts.length > 0 ? texts : undefined);
  return defined({
    ...{ prefix, ref, scope, depth },
    maxItems: options["max-items"],
    include: list(options.include),
    exclude: list(options.exclude),
    allowHosts: list(options["allow-host"]),
    everySeconds: every === undefined ? undefined : secondsIn(every),
    metadata: Object.keys(meta).length > 0 ? meta : undefined,
  });
}

function secondsIn(interval: string): number {
  const seconds = readInterval(interval);
  if (seconds !== undefined) return seconds;
  throw refusal("INVALID_PARAMETER", "--{0} takes a time such as 30m, 6h or 1d.", "every");
}

/** By its id, the start of it, or its address. */
async function findAll(operations: Operations, given: readonly string[]) {
  const known = await operations.sources();
  return given.map((each) => {
    const meant = known.filter(({ id, address }) => id.startsWith(each) || address === each);
    const found = onlyOne(each, meant, ({ id, address }) => `${id}  ${address}`);
    if (found) return found;
    throw refusal(
      "RESOURCE_NOT_FOUND",
      "There is no source '{0}'. Run 'knowledge-server sources list' to see them.",
      each,
    );
  });
}

async function sync(context: Context): Promise<number> {
  const { operations } = await context.openApp();
  const { args } = context;
  const chosen = args.length > 0 ? await findAll(operations, args) : await operations.sources();
  return syncAll(operations, chosen, context);
}

async function syncAll(
  operations: Operations,
  chosen: readonly Source[],
  { terminal, signal }: Context,
): Promise<number> {
  const synced: (Source | { readonly id: string; readonly error: string })[] = [];
  for (const { id, address } of chosen) {
    const syncing = terminal.track(({ update }) => {
      const onProgress = ({ fraction, found = 0 }: { fraction: number; found?: number }) =>
        update(terminal.t("{0}: {1|item|items}", address, found), fraction);
      return operations.syncSource({ id }, { signal, onProgress });
    });
    try {
      synced.push(await syncing);
    } catch (thrown) {
      signal.throwIfAborted();
      synced.push({ id, error: terminal.explain(toKnowledgeError(thrown)) });
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
  const counts = terminal.t(
    "{0} added, {1} unchanged, {2} removed, {3} failed",
    added,
    unchanged,
    removed,
    failed,
  );
  terminal.line(`${id}  ${address}: ${counts}`);
  for (const failure of failures) terminal.note(`  ${failure.file}: ${explain(failure, terminal)}`);
  if (problem !== undefined) terminal.note(`  ${terminal.say(problem)}`);
}

async function list({ openApp, terminal }: Context): Promise<number> {
  terminal.list<Source>(
    await (await openApp()).operations.sources(),
    [
      { head: "Id", value: ({ id }) => id },
      { head: "Kind", value: ({ kind }) => terminal.t(kind) },
      { head: "Address", value: ({ address }) => address, shrinks: true },
      numbers("Items", ({ items }) => items),
      { head: "State", value: (row) => stateOf(row, terminal) },
      { head: "Last", value: ({ lastRun }) => timeOf(lastRun?.finishedAt), optional: true },
      {
        head: "Next",
        value: ({ nextRun, isPaused }) => (isPaused ? "" : timeOf(nextRun)),
        optional: true,
      },
    ],
    "There are no sources yet. Add one: knowledge-server sources add ADDRESS",
  );
  return 0;
}

function stateOf({ isPaused, task, lastRun }: Source, { t }: Terminal): string {
  if (task !== undefined) return t("syncing");
  if (isPaused) return t("paused");
  if (lastRun === undefined) return t("new");
  if (lastRun.problem !== undefined) return t("problem");
  return lastRun.failed > 0 ? t("{0} failed", lastRun.failed) : t("up to date");
}

function timeOf(iso: string | undefined): string {
  return iso === undefined ? "" : describeTime(iso);
}

function pausing(isPaused: boolean) {
  return async ({ args, openApp, terminal }: Context): Promise<number> => {
    const { operations } = await openApp();
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

async function remove({ args, options, openApp, terminal }: Context): Promise<number> {
  const { operations } = await openApp();
  const { documents } = options;
  for (const { id, address } of await findAll(operations, needed(args))) {
    const removed = await operations.removeSource({ id, documents });
    if (documents) terminal.notify("Removed {0} (with {1|document|documents}).", address, removed);
    else terminal.notify("Removed {0} (its documents stay).", address);
  }
  return 0;
}

function needed(args: readonly string[]): readonly string[] {
  if (args.length > 0) return args;
  throw missing("ID");
}
