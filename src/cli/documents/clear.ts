import { count } from "../../text/english/count.ts";
import { CLEAR_PHRASE, KNOWLEDGE_CLEAR } from "../../tools/documents/contract.ts";
import { call } from "../call.ts";
import type { Command } from "../command.ts";
import { describeMebibytes } from "../terminal/format.ts";
import { ask } from "../terminal/question.ts";
import { toError } from "../terminal/to-error.ts";
import { listDocuments } from "./find-document.ts";

export const clear: Command = {
  name: "clear",
  effect: "destroy",
  summary: "Remove all documents",
  usage: "clear [--yes]",
  options: { yes: { type: "boolean", short: "y", help: "do not ask for confirmation" } },
  examples: [
    { line: "knowledge-server clear", does: "empty the knowledge base, after confirming" },
    {
      line: "knowledge-server backup kb.backup && knowledge-server clear --yes",
      does: "in a script",
    },
  ],
  async run({ options, openApp, terminal, signal }) {
    const app = await openApp();
    if (options["yes"] !== true) {
      const { total_count } = await listDocuments(app, { limit: 1 }, signal);
      const question = `This removes ${count(total_count, "document")}. Type ${CLEAR_PHRASE} to continue: `;
      if ((await ask(question, signal)) !== CLEAR_PHRASE) {
        terminal.note("Nothing was removed.");
        return 1;
      }
    }
    const args = { confirm: true, confirmation_phrase: CLEAR_PHRASE };
    const outcome = await call(app, { contract: KNOWLEDGE_CLEAR, args, signal });
    if (outcome.kind === "refused") throw toError(outcome.error);
    const { documents_removed, embeddings_removed, storage_freed_mb } = outcome.value;
    if (terminal.asJson) terminal.json(outcome.payload);
    else {
      terminal.line(
        `Removed ${count(documents_removed, "document")} (${count(embeddings_removed, "passage")}, ${describeMebibytes(storage_freed_mb)})`,
      );
    }
    return 0;
  },
};
