// `sources add`, `list`, `sync`, `pause`, `resume`, `remove`: sites, repositories and exports that are kept in sync.
import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import {
  readInterval,
  SOURCE_KINDS,
  type Source,
  type SourceSettings,
} from "../../domain/source.ts";
import { count } from "../../text/english/count.ts";
import type { Operations } from "../../tools/operations.ts";
import { chooseVerb } from "../arguments.ts";
import { onlyOne } from "../call.ts";
import type { Command, CommandContext, OptionValues } from "../command.ts";
import { listOf, readNumber, readPairs } from "../options.ts";
import { describeTime } from "../terminal/format.ts";
import { numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";

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
  summary: "Keep sites, git repositories, buckets and exports of other tools in sync",
  usage: "sources add ADDRESS [--every 6h] | list | sync [ID…] | pause ID | resume ID | remove ID",
  words: [...VERBS.keys()],
  takesFiles: true,
  options: {
    kind: {
      value: "KIND",
      choices: SOURCE_KINDS,
      help: `add: one of ${SOURCE_KINDS.join(", ")} (default: by the address)`,
    },
    every: { value: "TIME", help: "add: sync this often, such as 30m, 6h or 1d" },
    include: { multiple: true, value: "GLOB", help: "add: only these paths (repeatable)" },
    exclude: { multiple: true, value: "GLOB", help: "add: not these paths (repeatable)" },
    prefix: { value: "URL", help: "add: only pages whose address begins with this" },
    depth: { value: "N", help: "add: follow at most this many links from the start" },
    "max-items": { value: "N", help: "add: at most this many pages or files (default 10000)" },
    "allow-host": {
      multiple: true,
      value: "HOST",
      help: "add: host (or host:port) that may be in your own network (repeatable)",
    },
    scope: { value: "SCOPE", help: "add: where its documents belong (default general)" },
    ref: { value: "REF", help: "add: branch, tag or commit of a repository" },
    meta: {
      multiple: true,
      value: "KEY=VALUE",
      help: "add: metadata of its documents (repeatable)",
    },
    later: { help: "add: leave the first sync to a running server" },
    documents: { help: "remove: also remove its documents" },
  },
  parameters: { address: "ADDRESS", metadata: "--meta" },
  examples: {
    "knowledge-server sources add https://docs.example.com/guide/ --every 1d":
      "add a site, and look for changes every day",
    "knowledge-server sources add https://github.com/you/project --include 'docs/'":
      "add the documentation of a repository",
    "knowledge-server sources add s3://our-docs/handbook/ --every 1h": "add a bucket",
    "knowledge-server sources add ~/Downloads/slack-export.zip": "add an export of another tool",
    "knowledge-server sources sync": "look for changes in every source now",
  },
  async run(context) {
    const [name, ...args] = context.args;
    const verb = chooseVerb("sources", name, VERBS);
    return verb((await context.openApp()).operations, args, context);
  },
};

async function add(operations: Operations, args: readonly string[], context: CommandContext) {
  const { options, terminal, path } = context;
  const [given] = args;
  if (given === undefined)
    throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Specify the address to add.");
  const isPath = !/^[\w.+-]+:\/\/|^[\w.-]+@[\w.-]+:/.test(given);
  const kind = SOURCE_KINDS.find((one) => one === options["kind"]);
  if (kind === undefined && options["kind"] !== undefined)
    throw new KnowledgeError(
      "INVALID_PARAMETER",
      `--kind must be one of ${SOURCE_KINDS.join(", ")}.`,
    );
  const settings = settingsOf(options);
  const address = isPath ? path(given) : given;
  const source = await operations.addSource({ kind, address, settings }, "anywhere");
  if (options["later"] !== true) return syncAll(operations, [source], context);
  if (terminal.asJson) terminal.json(source);
  else terminal.note(`Added ${source.kind} ${source.id}; a running server syncs it.`);
  return 0;
}

function settingsOf(options: OptionValues): SourceSettings {
  const text = (name: "prefix" | "ref" | "scope") =>
    typeof options[name] === "string" ? { [name]: options[name] } : {};
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
    ...text("prefix"),
    ...text("ref"),
    ...text("scope"),
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
  throw new KnowledgeError("INVALID_PARAMETER", "--every takes a time such as 30m, 6h or 1d.");
}

/** By its id, the start of it, or its address. */
async function findAll(operations: Operations, given: readonly string[]) {
  const known = await operations.sources();
  return given.map((each) => {
    const meant = known.filter(({ id, address }) => id.startsWith(each) || address === each);
    const found = onlyOne(each, meant, ({ id, address }) => `${id}  ${address}`);
    if (found) return found;
    const message = `There is no source '${each}'. Run 'knowledge-server sources list' to see them.`;
    throw new KnowledgeError("RESOURCE_NOT_FOUND", message);
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
      bar.update(`${address}: ${count(found, "item")}`, fraction);
    try {
      synced.push(await operations.syncSource({ id }, { signal, onProgress }));
    } catch (thrown) {
      signal.throwIfAborted();
      synced.push({ id, error: toKnowledgeError(thrown).message });
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
  const counts = `${added} added, ${unchanged} unchanged, ${removed} removed, ${failed} failed`;
  terminal.line(`${id}  ${address}: ${counts}`);
  for (const { file, message } of failures) terminal.note(`  ${file}: ${message}`);
  if (problem !== undefined) terminal.note(`  ${problem}`);
}

async function list(
  operations: Operations,
  _args: readonly string[],
  { terminal }: CommandContext,
) {
  const rows = await operations.sources();
  if (terminal.asJson) terminal.json(rows);
  else if (rows.length === 0)
    terminal.note("There are no sources yet. Add one: knowledge-server sources add ADDRESS");
  else
    terminal.table<Source>(
      [
        { head: "ID", value: ({ id }) => id },
        { head: "KIND", value: ({ kind }) => kind },
        { head: "ADDRESS", value: ({ address }) => address, shrinks: true },
        numbers("ITEMS", ({ items }) => String(items)),
        { head: "STATE", value: stateOf },
        { head: "LAST", value: ({ lastRun }) => timeOf(lastRun?.finishedAt), optional: true },
        {
          head: "NEXT",
          value: ({ nextRun, isPaused }) => (isPaused ? "" : timeOf(nextRun)),
          optional: true,
        },
      ],
      rows,
    );
  return 0;
}

function stateOf({ isPaused, task, lastRun }: Source): string {
  if (task !== undefined) return "syncing";
  if (isPaused) return "paused";
  if (lastRun === undefined) return "new";
  if (lastRun.problem !== undefined) return "problem";
  return lastRun.failed > 0 ? `${lastRun.failed} failed` : "up to date";
}

function timeOf(iso: string | undefined): string {
  return iso === undefined ? "" : describeTime(iso);
}

function pausing(isPaused: boolean): Act {
  return async (operations, args, { terminal }) => {
    const changed: Source[] = [];
    for (const { id } of await findAll(operations, needed(args)))
      changed.push(await operations.pauseSource({ id, isPaused }));
    if (terminal.asJson) terminal.json(changed);
    else for (const { id } of changed) terminal.note(`${id}: ${isPaused ? "paused" : "resumed"}`);
    return 0;
  };
}

async function remove(operations: Operations, args: readonly string[], context: CommandContext) {
  const { terminal, options } = context;
  const documents = options["documents"] === true;
  for (const { id, address } of await findAll(operations, needed(args))) {
    const removed = await operations.removeSource({ id, documents });
    const rest = documents ? `with ${count(removed, "document")}` : "its documents stay";
    terminal.note(`Removed ${address} (${rest}).`);
  }
  return 0;
}

function needed(args: readonly string[]): readonly string[] {
  if (args.length > 0) return args;
  throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Specify the source by its id.");
}
