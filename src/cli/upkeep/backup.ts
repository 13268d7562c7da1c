import { KnowledgeError } from "../../domain/errors.ts";
import type { BackupReport, Operations } from "../../tools/operations.ts";
import type { Command, CommandContext } from "../command.ts";
import { describeSize } from "../terminal/size.ts";

export const backup: Command = {
  name: "backup",
  effect: "export",
  summary: "Write the whole knowledge base into one file, while it is in use",
  usage: "backup FILE [--force]",
  options: { force: { type: "boolean", help: "replace a file that is not a backup" } },
  examples: [
    { line: "knowledge-server backup knowledge-$(date +%F).backup", does: "a dated backup" },
  ],
  run: (context) =>
    move(context, "Backed up", ({ backup: write }, file, watch) =>
      write(file, { ...watch, force: context.options["force"] === true }),
    ),
};

export const restore: Command = {
  name: "restore",
  effect: "destroy",
  summary: "Fill an empty data folder from a backup",
  usage: "restore FILE --data-dir FOLDER",
  options: {},
  examples: [
    {
      line: "knowledge-server restore knowledge.backup --data-dir ~/restored",
      does: "look at a backup beside the knowledge base in use",
    },
  ],
  run: (context) =>
    move(context, "Restored", ({ restore: fill }, file, watch) => fill(file, watch)),
};

type Watch = Parameters<Operations["restore"]>[1];
type Work = (operations: Operations, file: string, watch: Watch) => Promise<BackupReport>;

async function move(
  { args, path, openApp, terminal, signal }: CommandContext,
  done: string,
  work: Work,
): Promise<number> {
  const [file, ...rest] = args.map(path);
  if (file === undefined || rest.length > 0) {
    throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Give one file.");
  }
  const app = await openApp();
  const bar = terminal.progress();
  const report = await work(app.operations, file, {
    signal,
    onProgress: (step) =>
      bar.update(`files ${step.done}/${step.total}`, step.total === 0 ? 1 : step.done / step.total),
  }).finally(() => bar.end());
  if (terminal.asJson) terminal.json(report);
  else {
    const { documents, chunks, scopes, originals, withoutOriginal, sizeBytes } = report;
    terminal.line(
      `${done} ${documents} documents (${chunks} chunks, ${originals} files) and ${scopes} scopes, ${describeSize(sizeBytes)}.`,
    );
    if (withoutOriginal > 0)
      terminal.note(`${withoutOriginal} documents have no original file any more.`);
  }
  return 0;
}
