import { KnowledgeError } from "../../domain/errors.ts";
import { count } from "../../text/english/count.ts";
import { KNOWLEDGE_REMOVE } from "../../tools/documents/contract.ts";
import { call } from "../call.ts";
import type { Command } from "../command.ts";
import { ask } from "../terminal/question.ts";
import { toError } from "../terminal/to-error.ts";
import { findDocument } from "./find-document.ts";

export const remove: Command = {
  name: "remove",
  effect: "destroy",
  summary: "Remove documents",
  usage: "remove (ID | FILENAME)… [--yes]",
  options: { yes: { type: "boolean", short: "y", help: "do not ask for confirmation" } },
  examples: [
    { line: "knowledge-server remove report.pdf", does: "remove one document, after confirming" },
    { line: "knowledge-server remove 75ba34c7 --yes", does: "by the first characters of its id" },
  ],
  async run({ args, options, openApp, terminal, signal }) {
    if (args.length === 0) {
      throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Specify the documents to remove.");
    }
    const app = await openApp();
    const removed: unknown[] = [];
    for (const given of args) {
      const { id, filename, chunk_count } = await findDocument(app, given, signal);
      if (options["yes"] !== true) {
        const answer = await ask(
          `Remove ${filename} (${count(chunk_count, "passage")})? [y/N] `,
          signal,
        );
        if (!/^y(es)?$/i.test(answer)) continue;
      }
      const confirmed = { document_id: id, confirm: true };
      const outcome = await call(app, { contract: KNOWLEDGE_REMOVE, args: confirmed, signal });
      if (outcome.kind === "refused") throw toError(outcome.error);
      removed.push(outcome.payload);
      if (!terminal.asJson) terminal.line(`Removed ${filename}`);
    }
    if (terminal.asJson) terminal.json(removed);
    return 0;
  },
};
