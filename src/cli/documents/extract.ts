import { missing } from "../arguments.ts";
import type { Command } from "../command.ts";

export const extract: Command = {
  name: "extract",
  effect: "read",
  takesFiles: true,
  usage: "extract FILE [--force-ocr]",
  options: {
    "force-ocr": {},
  },
  parameters: { file_path: "FILE" },
  examples: ["knowledge-server extract report.pdf", "knowledge-server extract report.pdf --json"],
  async run({ args, options, path: toPath, terminal, signal, openApp }) {
    const [path, ...rest] = args.map(toPath);
    if (path === undefined || rest.length > 0) throw missing("FILE");
    const { operations } = await openApp();
    const progress = terminal.progress();
    const read = await operations
      .extractFile(
        { path, forceOcr: options["force-ocr"] === true },
        {
          signal,
          onProgress: ({ done, total, unit }) =>
            progress.update(terminal.t("unitOf", unit, done, total), done / total),
        },
      )
      .finally(() => progress.end());
    for (const warning of read.document.warnings) terminal.note(terminal.say(warning));
    if (terminal.asJson) terminal.json({ ...read.document, chunks: read.chunks });
    else terminal.document(read.document.text);
    return 0;
  },
};
