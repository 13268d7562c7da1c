import { stat } from "node:fs/promises";
import { defined } from "../../domain/defined.ts";
import { toKnowledgeError } from "../../domain/errors.ts";
import type { LeftOut } from "../../domain/task.ts";
import { countLeftOut } from "../../domain/task.ts";
import { readOutput } from "../../tools/contract.ts";
import {
  ADD_URL_NOW,
  type Added,
  type AddedFolder,
  type Refused,
} from "../../tools/documents/contract.ts";
import type { CallOptions } from "../../tools/family.ts";
import type { JsonObject, ToolProgress } from "../../tools/tool.ts";
import { messageAsTyped } from "../arguments.ts";
import { toError } from "../call.ts";
import { type CommandContext, command, type OpenToolbox } from "../command.ts";
import { exitCode, INTERRUPTED } from "../exit-code.ts";
import type { Progress } from "../terminal/terminal.ts";
import { refusal } from "../texts.ts";
import {
  type AddedFile,
  describeLeftOut,
  failuresIn,
  isSkipped,
  labeller,
  printAdded,
  TO_REFINE,
} from "./added-table.ts";
import { watchFolders } from "./watch-folders.ts";

// One file can be read while another's text is embedded.
const AT_ONCE = 2;
// The documents can already be searched by then, so people should not wait much longer for the model.
const REFINE_MS = 15_000;

const OPTIONS = {
  watch: { help: "watch the folders until Ctrl-C" },
  tag: { help: "tag to add", value: "NAME…" },
  meta: { help: "metadata", value: "KEY=VALUE" },
  scope: { help: "scope that they belong to (default general)", value: "SCOPE" },
  "force-ocr": { help: "run OCR on pages even if they have text" },
} as const;

type AddContext = CommandContext<typeof OPTIONS>;

export const add = command({
  name: "add",
  summary: "Add files, folders or web pages",
  effect: "write",
  takesFiles: true,
  needs: "PATH…",
  usage: "add PATH… [--tag NAME]… [--meta KEY=VALUE]… [--scope SCOPE] [--force-ocr] [--watch]",
  options: OPTIONS,
  parameters: { file_path: "PATH", url: "PATH", metadata: "--meta" },
  examples: `
    knowledge-server add report.pdf              # add one file
    knowledge-server add ~/Documents --tag home  # add a folder and tag its documents
    knowledge-server add notes.zip               # add the files of a ZIP archive
    knowledge-server add https://… --allow-urls  # add a web page
    knowledge-server add ~/notes --watch         # add a folder and follow its changes
  `,
  async run(context) {
    if (context.options.watch) {
      const { scope } = context.options;
      return watchFolders(context, {
        metadata: metadataOf(context.options),
        ...defined({ scope }),
      });
    }
    const { args, terminal, signal } = context;
    const app = await context.openApp();
    const { files, folders, leftOut } = await filesOf(context, app);
    const named = new Set(args);
    if (files.length === 0 && !terminal.asJson)
      terminal.notify("Nothing to add: no supported documents were found.");
    const added = await addAll(files, context, app);
    await refineBriefly(context, app);
    if (terminal.asJson) terminal.json([...added, ...folders]);
    else if (added.length > 0) printAdded(added, { terminal, all: files.length, named });
    if (leftOut !== "" && !terminal.asJson) terminal.note(leftOut);
    if (!terminal.asJson && (await app.operations.samples()).documents > 0)
      terminal.notify(SAMPLES_STAY);
    return signal.aborted ? INTERRUPTED : codeOf(added.filter((row) => !isSkipped(row, named)));
  },
});

const SAMPLES_STAY =
  "The samples are still here, and may answer your questions. To remove them: knowledge-server remove --samples";

/** If every file failed with the same error code, returns that code's exit code; otherwise 1. */
function codeOf(added: readonly AddedFile[]): number {
  const failed = added.flatMap((row) => (row.success ? [] : [exitCode(toError(row).code)]));
  if (added.some((row) => failuresIn(row).length > 0)) return 1;
  const [first = 0, ...rest] = failed;
  return failed.length === added.length && rest.every((code) => code === first)
    ? first
    : Math.min(1, failed.length);
}

/** Refines for a short time, which is enough for a few files. A server or worker does the rest later. */
async function refineBriefly({ terminal, signal }: CommandContext, app: OpenToolbox) {
  const before = await app.operations.toRefine();
  if (before.chunks === 0 || signal.aborted) return;
  await terminal.track(({ update }) => {
    update(terminal.t("Added. Refining with the model"), 1);
    return app.operations.refine(AbortSignal.any([signal, AbortSignal.timeout(REFINE_MS)]));
  });
  const left = await app.operations.toRefine();
  if (left.chunks === 0) return;
  terminal.notify(TO_REFINE, left.chunks, left.documents);
  terminal.notify("A running server or `knowledge-server worker` does this in the background.");
}

function metadataOf({ meta, tag: tags }: AddContext["options"]) {
  return { ...meta, ...(tags.length > 0 ? { tags } : {}) };
}

/** What cannot be added at all stops the command before anything is: a missing path is probably a typo. */
async function filesOf({ args, signal, terminal }: CommandContext, app: OpenToolbox) {
  const paths = args.filter((arg) => !isUrl(arg));
  if (args.some(isUrl) && app.tool(ADD_URL_NOW.name) === undefined)
    throw refusal(
      "ACCESS_DENIED",
      "Fetching web pages is off. Run the command again with --allow-urls.",
    );
  for (const path of paths) {
    // Any other failure is reported when the file is opened.
    const gone = await stat(path).catch(
      (thrown: NodeJS.ErrnoException) => thrown.code === "ENOENT",
    );
    if (gone === true) throw refusal("FILE_NOT_FOUND", "No such file or folder: {0}", path);
  }
  const found = await Promise.all(paths.map((path) => app.operations.filesBelow(path, signal)));
  const files = new Set([...args.filter(isUrl), ...found.flatMap((below) => below.files)]);
  const below = found.map(({ leftOut }, at) => ({
    folder: paths[at],
    leftOut: { ...leftOut, archives: leftOut.archives.filter((path) => !files.has(path)) },
  }));
  // Scripts get a row for each folder in which files were left out.
  const folders = below.flatMap(({ folder, leftOut }) => {
    const counts = countLeftOut(leftOut);
    return counts === undefined ? [] : [{ folder, left_out: counts }];
  });
  return { files: [...files], folders, leftOut: describeLeftOut(sumOf(below), terminal) };
}

function sumOf(below: readonly { readonly leftOut: LeftOut }[]): LeftOut {
  const sum = (of: (each: LeftOut) => number) =>
    below.reduce((total, { leftOut }) => total + of(leftOut), 0);
  return {
    archives: [...new Set(below.flatMap(({ leftOut }) => leftOut.archives))],
    others: sum(({ others }) => others),
    ignored: sum(({ ignored }) => ignored),
    hidden: sum(({ hidden }) => hidden),
    links: sum(({ links }) => links),
    empty: sum(({ empty }) => empty),
  };
}

async function addAll(
  files: readonly string[],
  { options, terminal, signal }: AddContext,
  app: OpenToolbox,
): Promise<readonly AddedFile[]> {
  const { "force-ocr": forceOcr, scope } = options;
  const request = { metadata: metadataOf(options), forceOcr, ...defined({ scope }) };
  const results: AddedFile[] = [];
  const queue = [...files.entries()];
  const work = async (bar: FilesBar) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [at, path] = next;
      if (signal.aborted) return;
      bar.update(path, 0, terminal.t("Reading"));
      const onProgress = ({ progress, message, steps }: ToolProgress) =>
        bar.update(path, progress, steps?.map(terminal.say).join(" · ") ?? message);
      const added = isUrl(path)
        ? addUrl(app, { url: path, ...request }, { signal, onProgress })
        : app.operations.addFile({ path, ...request }, { signal, onProgress });
      results[at] = { file: path, ...withTypedNames(await added.catch(toRefused)) };
      bar.update(path, 1, terminal.t("Done"));
    }
  };
  await terminal.track(async (line) => {
    const bar = openFilesBar(files, line);
    const onStop = () => {
      bar.stop();
      terminal.notify("Stopping. Added files stay; press Ctrl-C again to quit at once.");
    };
    signal.addEventListener("abort", onStop);
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(bar)));
    signal.removeEventListener("abort", onStop);
  });
  return results.filter((result) => result !== undefined);
}

function withTypedNames<Row extends Added | AddedFolder | Refused>(row: Row): Row {
  return row.success ? row : { ...row, message: messageAsTyped(add, row.message) };
}

function toRefused(thrown: unknown): Refused {
  const { code, message } = toKnowledgeError(thrown);
  return { success: false, error: code.toLowerCase(), message };
}

function isUrl(given: string): boolean {
  return /^https?:\/\//i.test(given);
}

interface UrlToAdd {
  readonly url: string;
  readonly metadata: JsonObject;
  readonly scope?: string;
}

/** Adding an address again fetches the page again. */
async function addUrl(app: OpenToolbox, { url, metadata, scope }: UrlToAdd, watch: CallOptions) {
  const args = { url, metadata, scope, refresh: true, async: false };
  const outcome = readOutput(ADD_URL_NOW, await app.call(ADD_URL_NOW.name, args, watch));
  return outcome.kind === "done" ? outcome.value : outcome.error;
}

type FilesBar = ReturnType<typeof openFilesBar>;

/** The progress of adding many files, on one line. */
function openFilesBar(files: readonly string[], line: Progress) {
  const label = labeller(files);
  const fractions = new Map<string, number>();
  const state = { isStopping: false };
  return {
    update(path: string, fraction: number, step: string) {
      fractions.set(path, fraction);
      if (state.isStopping) return;
      const all = [...fractions.values()].reduce((sum, each) => sum + each, 0) / files.length;
      line.update(`${fractions.size}/${files.length} ${label(path)} · ${step}`, all);
    },
    stop() {
      state.isStopping = true;
      line.end();
    },
  };
}
