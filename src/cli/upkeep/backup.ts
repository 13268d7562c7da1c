import type { BackupReport, Operations } from "../../tools/operations.ts";
import { missing } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import { describeSize } from "../terminal/format.ts";

export const backup: Command = {
  name: "backup",
  effect: "export",
  takesFiles: true,
  usage: "backup FILE [--force]",
  options: { force: {} },
  examples: [
    "knowledge-server backup knowledge-$(date +%F).backup",
    "knowledge-server backup /mnt/disk/kb.backup",
  ],
  run: (context) =>
    move("backedUp", context, (operations, file, watch) =>
      operations.backup(file, { ...watch, force: context.options["force"] === true }),
    ),
};

export const restore: Command = {
  name: "restore",
  effect: "destroy",
  takesFiles: true,
  usage: "restore FILE --data-dir FOLDER",
  options: {},
  examples: ["knowledge-server restore knowledge.backup --data-dir ~/restored"],
  run: (context) =>
    move("restored", context, ({ restore: fill }, file, watch) => fill(file, watch)),
};

type Watch = Parameters<Operations["restore"]>[1];
type Work = (operations: Operations, file: string, watch: Watch) => Promise<BackupReport>;

async function move(
  key: "backedUp" | "restored",
  { args, path, openApp, terminal, signal }: CommandContext,
  work: Work,
): Promise<number> {
  const [file, ...rest] = args.map(path);
  if (file === undefined || rest.length > 0) throw missing("FILE");
  const app = await openApp();
  const bar = terminal.progress();
  const report = await work(app.operations, file, {
    signal,
    onProgress: ({ done, total }) =>
      bar.update(terminal.t("filesOf", done, total), total === 0 ? 1 : done / total),
  }).finally(() => bar.end());
  const { documents, chunks, scopes, originals, withoutOriginal, sizeBytes } = report;
  const size = describeSize(sizeBytes);
  terminal.result(report, () => {
    terminal.line(terminal.t(key, documents, chunks, originals, scopes, size));
    if (withoutOriginal > 0) terminal.note(terminal.t("withoutOriginal", withoutOriginal));
  });
  return 0;
}
