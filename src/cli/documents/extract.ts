import { KnowledgeError } from "../../domain/errors.ts";
import { toEnglish } from "../../domain/phrases/messages.ts";
import type { Command } from "../command.ts";

export const extract: Command = {
  name: "extract",
  effect: "read",
  summary: "Show the text of a file without adding it",
  takesFiles: true,
  usage: "extract FILE [--force-ocr]",
  options: {
    "force-ocr": { help: "run OCR on pages even if they have text" },
  },
  parameters: { file_path: "FILE" },
  examples: {
    "knowledge-server extract report.pdf": "print its text as Markdown",
    "knowledge-server extract report.pdf --json": "print its blocks and chunks",
  },
  async run({ args, options, path: toPath, terminal, signal, openApp }) {
    const [path, ...rest] = args.map(toPath);
    if (path === undefined || rest.length > 0) {
      throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Specify one file to extract.");
    }
    const { operations } = await openApp();
    const progress = terminal.progress();
    const read = await operations
      .extractFile(
        { path, forceOcr: options["force-ocr"] === true },
        {
          signal,
          onProgress: ({ done, total, unit }) =>
            progress.update(`${unit} ${done} of ${total}`, done / total),
        },
      )
      .finally(() => progress.end());
    for (const warning of read.document.warnings) terminal.note(toEnglish(warning));
    if (terminal.asJson) terminal.json({ ...read.document, chunks: read.chunks });
    else terminal.document(read.document.text);
    return 0;
  },
};
