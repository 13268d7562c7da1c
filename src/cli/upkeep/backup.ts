import { KnowledgeError } from "../../domain/errors.ts";
import { count } from "../../text/english/count.ts";
import type { BackupReport, Operations } from "../../tools/operations.ts";
import type { Command, CommandContext } from "../command.ts";
import { describeSize } from "../terminal/format.ts";
import type { Terminal } from "../terminal/terminal.ts";

export const backup: Command = {
  name: "backup",
  effect: "export",
  summary: "Back up the knowledge base to one file, even while it is in use",
  takesFiles: true,
  usage: "backup FILE [--force]",
  options: { force: { help: "replace a file that is not a backup" } },
  examples: {
    "knowledge-server backup knowledge-$(date +%F).backup": "a dated backup",
    "knowledge-server backup /mnt/disk/kb.backup": "replace the previous backup",
  },
  run: (context) =>
    move(
      context,
      { verb: "Backed up", where: "into a file of" },
      ({ backup: write }, file, watch) =>
        write(file, { ...watch, force: context.options["force"] === true }),
    ),
};

export const restore: Command = {
  name: "restore",
  effect: "destroy",
  summary: "Restore a backup into an empty data folder",
  takesFiles: true,
  usage: "restore FILE --data-dir FOLDER",
  options: {},
  examples: {
    "knowledge-server restore knowledge.backup --data-dir ~/restored":
      "restore next to the knowledge base in use",
  },
  run: (context) =>
    move(context, { verb: "Restored", where: "from a file of" }, ({ restore: fill }, file, watch) =>
      fill(file, watch),
    ),
};

/** The outcome as text for people. */
interface OutcomeText {
  readonly verb: string;
  readonly where: string;
}

type Watch = Parameters<Operations["restore"]>[1];
type Work = (operations: Operations, file: string, watch: Watch) => Promise<BackupReport>;

async function move(
  { args, path, openApp, terminal, signal }: CommandContext,
  text: OutcomeText,
  work: Work,
): Promise<number> {
  const [file, ...rest] = args.map(path);
  if (file === undefined || rest.length > 0) {
    throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Specify one file.");
  }
  const app = await openApp();
  const bar = terminal.progress();
  const report = await work(app.operations, file, {
    signal,
    onProgress: (step) =>
      bar.update(`files ${step.done}/${step.total}`, step.total === 0 ? 1 : step.done / step.total),
  }).finally(() => bar.end());
  if (terminal.asJson) terminal.json(report);
  else show(report, text, terminal);
  return 0;
}

function show(report: BackupReport, { verb, where }: OutcomeText, terminal: Terminal): void {
  const { documents, chunks, scopes, originals, withoutOriginal, sizeBytes } = report;
  const held = `${count(documents, "document")} (${count(chunks, "passage")}, ${count(originals, "original file")})`;
  terminal.line(
    `${verb} ${held} and ${count(scopes, "scope")}, ${where} ${describeSize(sizeBytes)}.`,
  );
  if (withoutOriginal > 0)
    terminal.note(`Without their original file: ${count(withoutOriginal, "document")}.`);
}
