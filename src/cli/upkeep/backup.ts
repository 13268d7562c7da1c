import type { BackupReport, Operations } from "../../tools/operations.ts";
import { onlyArgument } from "../arguments.ts";
import { type CommandContext, command } from "../command.ts";
import { describeSize } from "../terminal/format.ts";

const BACKED_UP =
  "Backed up {0|document|documents} ({1|passage|passages}, {2|original file|original files}) and {3|scope|scopes}, into a file of {4}.";
const RESTORED =
  "Restored {0|document|documents} ({1|passage|passages}, {2|original file|original files}) and {3|scope|scopes}, from a file of {4}.";

export const backup = command({
  name: "backup",
  summary: "Back up the knowledge base to one file, even while it is in use",
  effect: "export",
  takesFiles: true,
  usage: "backup FILE [--force]",
  options: { force: { help: "replace a file that is not a backup" } },
  examples: `
    knowledge-server backup knowledge-$(date +%F).backup  # a dated backup
    knowledge-server backup /mnt/disk/kb.backup           # replace the previous backup
  `,
  run(context) {
    const { force } = context.options;
    return move(BACKED_UP, context, (operations, file, watch) =>
      operations.backup(file, { ...watch, force }),
    );
  },
});

export const restore = command({
  name: "restore",
  summary: "Restore a backup into an empty data folder",
  effect: "destroy",
  takesFiles: true,
  usage: "restore FILE --data-dir FOLDER",
  options: {},
  examples: `
    knowledge-server restore knowledge.backup --data-dir ~/restored  # restore next to the knowledge base in use
  `,
  run: (context) => move(RESTORED, context, ({ restore: fill }, file, watch) => fill(file, watch)),
});

type Watch = Parameters<Operations["restore"]>[1];
type Work = (operations: Operations, file: string, watch: Watch) => Promise<BackupReport>;

async function move(
  done: typeof BACKED_UP | typeof RESTORED,
  { args, openApp, terminal, signal }: CommandContext,
  work: Work,
): Promise<number> {
  const file = onlyArgument(args, "FILE");
  const { operations } = await openApp();
  const report = await terminal.track(({ update }) => {
    const onProgress: Watch["onProgress"] = ({ done: moved, total }) =>
      update(terminal.t("files {0}/{1}", moved, total), total === 0 ? 1 : moved / total);
    return work(operations, file, { signal, onProgress });
  });
  const { documents, chunks, scopes, originals, withoutOriginal, sizeBytes } = report;
  terminal.result(report, () => {
    terminal.report(done, documents, chunks, originals, scopes, describeSize(sizeBytes));
    if (withoutOriginal > 0)
      terminal.notify("Without their original file: {0|document|documents}.", withoutOriginal);
  });
  return 0;
}
