import { defined } from "../../domain/defined.ts";
import { CLEAR_PHRASE, KNOWLEDGE_CLEAR, KNOWLEDGE_REMOVE } from "../../tools/documents/contract.ts";
import { missing } from "../arguments.ts";
import { findDocument, listDocuments, succeed } from "../call.ts";
import type { Command, OpenToolbox } from "../command.ts";
import { textOption } from "../options.ts";
import { describeMebibytes } from "../terminal/format.ts";
import { ask, type Terminal } from "../terminal/terminal.ts";

export const remove: Command = {
  name: "remove",
  effect: "destroy",
  usage: "remove (ID | FILENAME)… [--yes] | --samples",
  options: {
    yes: { short: "y" },
    samples: {},
  },
  examples: ["knowledge-server remove report.pdf", "knowledge-server remove 75ba34c7 --yes"],
  async run({ args, options, openApp, terminal, signal }) {
    if (options["samples"] === true) return removeSamples(await openApp(), terminal);
    if (args.length === 0) throw missing("ID | FILENAME");
    const app = await openApp();
    const removed: unknown[] = [];
    for (const given of args) {
      const { id, filename, chunk_count } = await findDocument(app, given, signal);
      if (options["yes"] !== true) {
        const question = terminal.t("askRemove", filename, chunk_count);
        if (!/^y(es)?$/i.test(await ask(question, signal))) {
          terminal.note(terminal.t("kept", filename));
          continue;
        }
      }
      const confirmed = { document_id: id, confirm: true };
      const asked = { contract: KNOWLEDGE_REMOVE, args: confirmed, signal };
      removed.push((await succeed(app, asked)).payload);
      if (!terminal.asJson) terminal.line(terminal.t("removedOne", filename));
    }
    if (terminal.asJson) terminal.json(removed);
    return 0;
  },
};

async function removeSamples({ operations }: OpenToolbox, terminal: Terminal): Promise<number> {
  const removed = await operations.removeSamples();
  const { documents, scopes } = removed;
  terminal.result(removed, () => terminal.line(terminal.t("removedSamples", documents, scopes)));
  return 0;
}

export const clear: Command = {
  name: "clear",
  effect: "destroy",
  usage: "clear [--scope SCOPE] [--yes]",
  options: {
    scope: { value: "SCOPE" },
    yes: { short: "y" },
  },
  examples: [
    "knowledge-server clear",
    "knowledge-server backup kb.backup && knowledge-server clear --yes",
  ],
  async run({ options, openApp, terminal, signal }) {
    const app = await openApp();
    const { scope } = textOption(options, "scope");
    if (options["yes"] !== true) {
      const { total_count } = await listDocuments(app, { limit: 1 }, signal);
      const question = scope
        ? terminal.t("askClearScope", scope, CLEAR_PHRASE)
        : terminal.t("askClear", total_count, CLEAR_PHRASE);
      if ((await ask(question, signal)) !== CLEAR_PHRASE) {
        terminal.note(terminal.t("nothingRemoved"));
        return 1;
      }
    }
    const args = { confirm: true, confirmation_phrase: CLEAR_PHRASE, ...defined({ scope }) };
    const { value, payload } = await succeed(app, { contract: KNOWLEDGE_CLEAR, args, signal });
    const { documents_removed, embeddings_removed, storage_freed_mb } = value;
    const freed = describeMebibytes(storage_freed_mb);
    const removed = terminal.t("removedAll", documents_removed, embeddings_removed, freed);
    terminal.result(payload, () => terminal.line(removed));
    return 0;
  },
};
