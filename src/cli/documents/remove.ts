import { defined } from "../../domain/defined.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { count } from "../../text/english/count.ts";
import { CLEAR_PHRASE, KNOWLEDGE_CLEAR, KNOWLEDGE_REMOVE } from "../../tools/documents/contract.ts";
import { findDocument, listDocuments, succeed } from "../call.ts";
import type { Command, OpenToolbox } from "../command.ts";
import { describeMebibytes } from "../terminal/format.ts";
import { ask, type Terminal } from "../terminal/terminal.ts";

export const remove: Command = {
  name: "remove",
  effect: "destroy",
  summary: "Remove documents",
  usage: "remove (ID | FILENAME)… [--yes] | --samples",
  options: {
    yes: { short: "y", help: "do not ask for confirmation" },
    samples: { help: "the documents and rules that a new knowledge base was filled with" },
  },
  examples: {
    "knowledge-server remove report.pdf": "remove one document, after confirming",
    "knowledge-server remove 75ba34c7 --yes": "by the first characters of its id",
  },
  async run({ args, options, openApp, terminal, signal }) {
    if (options["samples"] === true) return removeSamples(await openApp(), terminal);
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
        if (!/^y(es)?$/i.test(answer)) {
          terminal.note(`Kept ${filename}`);
          continue;
        }
      }
      const confirmed = { document_id: id, confirm: true };
      const asked = { contract: KNOWLEDGE_REMOVE, args: confirmed, signal };
      removed.push((await succeed(app, asked)).payload);
      if (!terminal.asJson) terminal.line(`Removed ${filename}`);
    }
    if (terminal.asJson) terminal.json(removed);
    return 0;
  },
};

async function removeSamples({ operations }: OpenToolbox, terminal: Terminal): Promise<number> {
  const { documents, scopes } = await operations.removeSamples();
  if (terminal.asJson) terminal.json({ documents, scopes });
  else
    terminal.line(`Removed ${count(documents, "sample document")} and ${count(scopes, "scope")}`);
  return 0;
}

export const clear: Command = {
  name: "clear",
  effect: "destroy",
  summary: "Remove all documents",
  usage: "clear [--scope SCOPE] [--yes]",
  options: {
    scope: { value: "SCOPE", help: "only the documents of this scope" },
    yes: { short: "y", help: "do not ask for confirmation" },
  },
  examples: {
    "knowledge-server clear": "empty the knowledge base, after confirming",
    "knowledge-server backup kb.backup && knowledge-server clear --yes": "in a script",
  },
  async run({ options, openApp, terminal, signal }) {
    const app = await openApp();
    const scope = defined({ scope: options["scope"] });
    if (options["yes"] !== true) {
      const { total_count } = await listDocuments(app, { limit: 1 }, signal);
      const all = options["scope"]
        ? `the documents of ${options["scope"]}`
        : count(total_count, "document");
      const question = `This removes ${all}. Type ${CLEAR_PHRASE} to continue: `;
      if ((await ask(question, signal)) !== CLEAR_PHRASE) {
        terminal.note("Nothing was removed.");
        return 1;
      }
    }
    const args = { confirm: true, confirmation_phrase: CLEAR_PHRASE, ...scope };
    const { value, payload } = await succeed(app, { contract: KNOWLEDGE_CLEAR, args, signal });
    const { documents_removed, embeddings_removed, storage_freed_mb } = value;
    if (terminal.asJson) terminal.json(payload);
    else {
      terminal.line(
        `Removed ${count(documents_removed, "document")} (${count(embeddings_removed, "passage")}, ${describeMebibytes(storage_freed_mb)})`,
      );
    }
    return 0;
  },
};
