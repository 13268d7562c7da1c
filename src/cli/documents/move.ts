import { KnowledgeError } from "../../domain/errors.ts";
import { findDocument } from "../call.ts";
import type { Command } from "../command.ts";

export const move: Command = {
  name: "move",
  effect: "write",
  summary: "Give documents to another scope",
  usage: "move (ID | FILENAME)… --scope SCOPE",
  options: { scope: { value: "SCOPE", help: "the scope that they belong to from now on" } },
  examples: {
    "knowledge-server move report.pdf --scope checkout-api": "give one document to a project",
    "knowledge-server move 75ba34c7 --scope general": "give it back to everybody",
  },
  async run({ args, options, openApp, terminal, signal }) {
    const { scope } = options;
    if (args.length === 0 || typeof scope !== "string") {
      const message = "Specify the documents to move, and where to with --scope.";
      throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", message);
    }
    const app = await openApp();
    const moved: unknown[] = [];
    for (const given of args) {
      const { id, filename } = await findDocument(app, given, signal);
      const { from, to } = await app.operations.move(id, scope);
      moved.push({ document_id: id, filename, from, to });
      if (!terminal.asJson) terminal.line(`Moved ${filename} from ${from} to ${to}`);
    }
    if (terminal.asJson) terminal.json(moved);
    return 0;
  },
};
