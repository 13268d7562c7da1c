import type { Command } from "../command.ts";
import { ask } from "../terminal/question.ts";
import { refused } from "../terminal/refused.ts";
import { listDocuments } from "./find-document.ts";

const PHRASE = "DELETE ALL";

interface Cleared {
  readonly documents_removed: number;
  readonly embeddings_removed: number;
  readonly storage_freed_mb: number;
}

export const clear: Command = {
  name: "clear",
  effect: "destroy",
  summary: "Remove all documents",
  usage: "clear [--yes]",
  options: { yes: { type: "boolean", short: "y", help: "do not ask" } },
  examples: [
    { line: "knowledge-server clear", does: "empty the knowledge base, after a question" },
  ],
  async run({ options, openApp, terminal, signal }) {
    const app = await openApp();
    if (options["yes"] !== true) {
      const { total_count } = await listDocuments(app, { limit: 1 }, signal);
      const question = `This removes all ${total_count} documents. Type ${PHRASE} to go on: `;
      if ((await ask(question, signal)) !== PHRASE) {
        terminal.note("Nothing was removed.");
        return 1;
      }
    }
    const call = { confirm: true, confirmation_phrase: PHRASE };
    const { payload, isError } = await app.call("knowledge-clear", call, { signal });
    if (isError) throw refused(payload);
    const { documents_removed, embeddings_removed, storage_freed_mb } = payload as Cleared;
    if (terminal.asJson) terminal.json(payload);
    else {
      terminal.line(
        `Removed ${documents_removed} documents (${embeddings_removed} chunks, ${storage_freed_mb} MB)`,
      );
    }
    return 0;
  },
};
