import { relative } from "node:path";
import { KnowledgeError } from "../domain/errors.ts";
import type { ToolOutput } from "../tools/tool.ts";
import type { Command, CommandContext, OpenToolbox } from "./command.ts";
import { listOf, readPairs } from "./pairs.ts";
import { describeSeconds } from "./size.ts";
import type { Terminal } from "./terminal.ts";
import { watchFolders } from "./watch-folders.ts";

interface Added {
  readonly file: string;
  readonly success: boolean;
  readonly error?: string;
  readonly message?: string;
  readonly document_id?: string;
  readonly chunks_created?: number;
  readonly processing_method?: string;
  readonly processing_time_seconds?: number;
  readonly already_present?: boolean;
}

// While one file is read, another's text is embedded.
const AT_ONCE = 2;

export const add: Command = {
  name: "add",
  summary: "Add files, or all documents below folders",
  usage: "add PATH… [--tag NAME]… [--meta KEY=VALUE]… [--force-ocr] [--watch]",
  options: {
    watch: { type: "boolean", help: "keep following the folders until Ctrl-C" },
    tag: { type: "string", multiple: true, value: "NAME", help: "tag to find it by (repeatable)" },
    meta: { type: "string", multiple: true, value: "KEY=VALUE", help: "metadata (repeatable)" },
    "force-ocr": { type: "boolean", help: "read pages as images even where there is text" },
  },
  examples: [
    { line: "knowledge-server add report.pdf", does: "add one file" },
    { line: "knowledge-server add ~/Documents --tag home", does: "add a folder, tagged" },
    { line: "knowledge-server add ~/notes --watch", does: "follow a folder as it changes" },
  ],
  async run(context) {
    if (context.args.length === 0) {
      throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Give files or folders to add.");
    }
    if (context.options["watch"] === true)
      return watchFolders(context, metadataOf(context.options));
    const app = await context.openApp();
    const files = await filesOf(context, app);
    if (files.length === 0 && !context.terminal.asJson) {
      context.terminal.note("There is nothing to add: no supported documents were found.");
    }
    const added = await addAll(files, context, app);
    show(added, context.terminal);
    return added.some(({ success }) => !success) ? 1 : 0;
  },
};

function metadataOf(options: CommandContext["options"]) {
  const tags = listOf(options["tag"]);
  return { ...readPairs(options, "meta"), ...(tags.length > 0 ? { tags } : {}) };
}

async function filesOf({ args, signal }: CommandContext, app: OpenToolbox) {
  const found = await Promise.all(
    args.map((path) => app.operations.filesBelow?.(path, signal) ?? [path]),
  );
  return [...new Set(found.flat())];
}

async function addAll(
  files: readonly string[],
  { options, terminal, signal }: CommandContext,
  app: OpenToolbox,
): Promise<readonly Added[]> {
  const metadata = metadataOf(options);
  const forceOcr = options["force-ocr"] === true;
  const bar = terminal.progress();
  const results: Added[] = [];
  const fractions = new Map<string, number>();
  const queue = [...files.entries()];

  const tell = (path: string, fraction: number, step: string) => {
    fractions.set(path, fraction);
    const all = [...fractions.values()].reduce((sum, each) => sum + each, 0) / files.length;
    bar.update(
      `${Math.min(fractions.size, files.length)}/${files.length} ${shorten(path)} · ${step}`,
      all,
    );
  };
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [at, path] = next;
      if (signal.aborted) return;
      tell(path, 0, "Reading");
      const output = await app.operations.addFile?.(
        { path, metadata, forceOcr },
        { signal, onProgress: ({ progress, message }) => tell(path, progress, message) },
      );
      results[at] = toAdded(path, output);
      tell(path, 1, "Done");
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    bar.end();
  }
  return results.filter((result) => result !== undefined);
}

function toAdded(path: string, output: ToolOutput | undefined): Added {
  return { file: path, ...(output?.payload as Omit<Added, "file">) };
}

function show(added: readonly Added[], terminal: Terminal): void {
  if (terminal.asJson) terminal.json(added);
  else if (added.length > 0) printTable(added, terminal);
}

function printTable(added: readonly Added[], terminal: Terminal): void {
  const failed = added.filter(({ success }) => !success);
  terminal.table<Added>(
    [
      { head: "FILE", value: ({ file }) => shorten(file), gives: true },
      { head: "RESULT", value: resultOf },
      { head: "CHUNKS", value: (row) => String(row.chunks_created ?? ""), align: "right" },
      { head: "READ BY", value: (row) => (row.processing_method ?? "").replaceAll("_", " ") },
      {
        head: "TIME",
        value: ({ processing_time_seconds: time }) =>
          time === undefined ? "" : describeSeconds(time),
        align: "right",
      },
    ],
    added,
  );
  for (const { file, message } of failed) terminal.note(`${shorten(file)}: ${message}`);
  const present = added.filter((row) => row.already_present).length;
  const parts = [`${added.length - failed.length - present} added`];
  if (present > 0) parts.push(`${present} already there`);
  if (failed.length > 0) parts.push(`${failed.length} failed`);
  terminal.line();
  terminal.line(parts.join(", "));
}

function resultOf({ success, error, already_present }: Added): string {
  if (!success) return error ?? "failed";
  return already_present ? "already there" : "added";
}

function shorten(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith("..") || near === "" ? path : near;
}
