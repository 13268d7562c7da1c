import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import type { Refused } from "../../tools/documents/contract.ts";
import type { Command, CommandContext, OpenToolbox } from "../command.ts";
import { listOf, readPairs } from "../terminal/pairs.ts";
import { describeRefining } from "../terminal/refining.ts";
import { type AddedFile, labeller, printAdded } from "./added-table.ts";
import { watchFolders } from "./watch-folders.ts";

// While one file is read, another's text is embedded.
const AT_ONCE = 2;
// What is added can be found by now: nobody waits much longer for the model.
const REFINE_MS = 15_000;

export const add: Command = {
  name: "add",
  effect: "write",
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
    await refineBriefly(context, app);
    if (context.terminal.asJson) context.terminal.json(added);
    else if (added.length > 0) printAdded(added, context.terminal);
    if (context.signal.aborted) return 130;
    return added.some(({ success }) => !success) ? 1 : 0;
  },
};

/** A server goes on with it; where there is none, a few files need none, and many can be searched meanwhile. */
async function refineBriefly({ terminal, signal }: CommandContext, app: OpenToolbox) {
  const before = await app.operations.toRefine();
  if (before.chunks === 0 || signal.aborted) return;
  const bar = terminal.progress();
  bar.update("Added. The model reads it once more", 1);
  try {
    await app.operations.refine(AbortSignal.any([signal, AbortSignal.timeout(REFINE_MS)]));
  } finally {
    bar.end();
  }
  const left = await app.operations.toRefine();
  if (left.chunks === 0) return;
  terminal.note(
    `Still to be refined: ${describeRefining(left)}. A server does it in the background, or \`knowledge-server worker\`.`,
  );
}

function metadataOf(options: CommandContext["options"]) {
  const tags = listOf(options["tag"]);
  return { ...readPairs(options, "meta"), ...(tags.length > 0 ? { tags } : {}) };
}

async function filesOf({ args, path: toPath, signal }: CommandContext, app: OpenToolbox) {
  const found = await Promise.all(
    args.map(toPath).map((path) => app.operations.filesBelow(path, signal)),
  );
  return [...new Set(found.flat())];
}

async function addAll(
  files: readonly string[],
  { options, terminal, signal }: CommandContext,
  app: OpenToolbox,
): Promise<readonly AddedFile[]> {
  const metadata = metadataOf(options);
  const forceOcr = options["force-ocr"] === true;
  const bar = terminal.progress();
  const results: AddedFile[] = [];
  const label = labeller(files);
  const fractions = new Map<string, number>();
  const queue = [...files.entries()];

  const tell = (path: string, fraction: number, step: string) => {
    fractions.set(path, fraction);
    const all = [...fractions.values()].reduce((sum, each) => sum + each, 0) / files.length;
    bar.update(
      `${Math.min(fractions.size, files.length)}/${files.length} ${label(path)} · ${step}`,
      all,
    );
  };
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [at, path] = next;
      if (signal.aborted) return;
      tell(path, 0, "Reading");
      const added = app.operations.addFile(
        { path, metadata, forceOcr },
        { signal, onProgress: ({ progress, message }) => tell(path, progress, message) },
      );
      results[at] = { file: path, ...(await added.catch(toRefused)) };
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

function toRefused(thrown: unknown): Refused {
  const { code, message } = toKnowledgeError(thrown);
  return { success: false, error: code.toLowerCase(), message };
}
