import { missing } from "../arguments.ts";
import { findDocument } from "../call.ts";
import { command } from "../command.ts";

export const move = command({
  name: "move",
  summary: "Give documents to another scope",
  effect: "write",
  needs: "ID | FILENAME",
  usage: "move (ID | FILENAME)… --scope SCOPE",
  options: { scope: { help: "the scope that they belong to from now on", value: "SCOPE" } },
  examples: `
    knowledge-server move report.pdf --scope checkout-api  # give one document to a project
    knowledge-server move 75ba34c7 --scope general         # give it back to everybody
  `,
  async run({ args, options: { scope }, openApp, terminal, signal }) {
    if (scope === undefined) throw missing("--scope");
    const app = await openApp();
    const moved: unknown[] = [];
    for (const given of args) {
      const { id, filename } = await findDocument(app, given, signal);
      const { from, to } = await app.operations.move(id, scope);
      moved.push({ document_id: id, filename, from, to });
      if (!terminal.asJson) terminal.report("Moved {0} from {1} to {2}", filename, from, to);
    }
    if (terminal.asJson) terminal.json(moved);
    return 0;
  },
});
