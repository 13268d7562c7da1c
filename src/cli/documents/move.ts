import { missing } from "../arguments.ts";
import { findDocument } from "../call.ts";
import type { Command } from "../command.ts";

export const move: Command = {
  name: "move",
  effect: "write",
  usage: "move (ID | FILENAME)… --scope SCOPE",
  options: { scope: { value: "SCOPE" } },
  examples: [
    "knowledge-server move report.pdf --scope checkout-api",
    "knowledge-server move 75ba34c7 --scope general",
  ],
  async run({ args, options, openApp, terminal, signal }) {
    const { scope } = options;
    if (args.length === 0) throw missing("ID | FILENAME");
    if (typeof scope !== "string") throw missing("--scope");
    const app = await openApp();
    const moved: unknown[] = [];
    for (const given of args) {
      const { id, filename } = await findDocument(app, given, signal);
      const { from, to } = await app.operations.move(id, scope);
      moved.push({ document_id: id, filename, from, to });
      if (!terminal.asJson) terminal.line(terminal.t("moved", filename, from, to));
    }
    if (terminal.asJson) terminal.json(moved);
    return 0;
  },
};
