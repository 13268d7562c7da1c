import { onlyArgument } from "../arguments.ts";
import { command } from "../command.ts";

export const extract = command({
  name: "extract",
  summary: "Show the text of a file without adding it",
  effect: "read",
  takesFiles: true,
  usage: "extract FILE [--force-ocr]",
  options: {
    "force-ocr": { help: "run OCR on pages even if they have text" },
  },
  parameters: { file_path: "FILE" },
  examples: `
    knowledge-server extract report.pdf         # print it as Markdown
    knowledge-server extract report.pdf --json  # print its blocks and chunks
  `,
  async run({ args, options, terminal, signal, openApp }) {
    const file = { path: onlyArgument(args, "FILE"), forceOcr: options["force-ocr"] };
    const { operations } = await openApp();
    const read = await terminal.track(({ update }) =>
      operations.extractFile(file, {
        signal,
        onProgress: ({ done, total, unit }) =>
          update(terminal.t("{0} {1} of {2}", unit, done, total), done / total),
      }),
    );
    for (const warning of read.document.warnings) terminal.note(terminal.say(warning));
    if (terminal.asJson) terminal.json({ ...read.document, chunks: read.chunks });
    else terminal.document(read.document.text);
    return 0;
  },
});
