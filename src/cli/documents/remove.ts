import { stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { defined } from "../../domain/defined.ts";
import { CLEAR_PHRASE, KNOWLEDGE_CLEAR, KNOWLEDGE_REMOVE } from "../../tools/documents/contract.ts";
import { missing } from "../arguments.ts";
import { findDocument, listDocuments, succeed } from "../call.ts";
import { command, type OpenToolbox } from "../command.ts";
import { describeMebibytes } from "../terminal/format.ts";
import { ask, type Terminal } from "../terminal/terminal.ts";

export const remove = command({
  name: "remove",
  summary: "Remove documents",
  effect: "destroy",
  usage: "remove (ID | FILENAME | FOLDER)… [--yes] | --samples",
  options: {
    yes: { help: "do not ask for confirmation", short: "y" },
    samples: { help: "the documents and rules that a new knowledge base was filled with" },
  },
  examples: `
    knowledge-server remove report.pdf      # remove one document, after confirming
    knowledge-server remove 75ba34c7 --yes  # by the first characters of its id
    knowledge-server remove ~/old-notes     # all documents that were added from a folder
  `,
  async run({ args, options, openApp, terminal, signal }) {
    if (options.samples) return removeSamples(await openApp(), terminal);
    if (args.length === 0) throw missing("ID | FILENAME");
    const app = await openApp();
    const removed: unknown[] = [];
    for (const given of args) {
      const { name, count, ids } = await meantBy(given, app, signal);
      if (!options.yes && !/^y(es)?$/i.test(await ask(terminal.t(...count), signal))) {
        terminal.notify("Kept {0}", name);
        continue;
      }
      for (const id of ids) {
        const confirmed = { document_id: id, confirm: true };
        const asked = { contract: KNOWLEDGE_REMOVE, args: confirmed, signal };
        removed.push((await succeed(app, asked)).payload);
      }
      if (!terminal.asJson) terminal.report("Removed {0}", name);
    }
    if (terminal.asJson) terminal.json(removed);
    return 0;
  },
});

/** One document, or all that were added from a folder. */
async function meantBy(given: string, app: OpenToolbox, signal: AbortSignal) {
  const folder = resolve(given);
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() === true;
  const ids = isFolder ? await documentsIn(folder, app) : [];
  if (ids.length > 0) {
    const count: Asked = [
      "Remove {0|document|documents} added from {1}? [y/N] ",
      ids.length,
      folder,
    ];
    return { name: folder, count, ids };
  }
  const { id, filename: name, chunk_count } = await findDocument(app, given, signal);
  const count: Asked = ["Remove {0} ({1|passage|passages})? [y/N] ", name, chunk_count];
  return { name, count, ids: [id] };
}

type Asked = Parameters<Terminal["t"]>;

const PAGE = 500;

async function documentsIn(folder: string, { operations }: OpenToolbox) {
  const below = join(folder, sep);
  const ids: string[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const rows = await operations.exportDocuments({ scope: undefined, offset, limit: PAGE });
    ids.push(
      ...rows.filter(({ path = "" }) => path.startsWith(below)).map((row) => row.documentId),
    );
    if (rows.length < PAGE) return ids;
  }
}

async function removeSamples({ operations }: OpenToolbox, terminal: Terminal): Promise<number> {
  const removed = await operations.removeSamples();
  const { documents, scopes } = removed;
  terminal.result(removed, () =>
    terminal.report(
      "Removed {0|sample document|sample documents} and {1|scope|scopes}",
      documents,
      scopes,
    ),
  );
  return 0;
}

export const clear = command({
  name: "clear",
  summary: "Remove all documents",
  effect: "destroy",
  usage: "clear [--scope SCOPE] [--yes]",
  options: {
    scope: { help: "only the documents of this scope", value: "SCOPE" },
    yes: { help: "do not ask for confirmation", short: "y" },
  },
  examples: `
    knowledge-server clear                                          # empty the knowledge base, after confirming
    knowledge-server backup kb.backup && knowledge-server clear --yes  # in a script
  `,
  async run({ options, openApp, terminal, signal }) {
    const app = await openApp();
    const { scope } = options;
    if (!options.yes) {
      const { total_count } = await listDocuments(app, { limit: 1 }, signal);
      const question = scope
        ? terminal.t(
            "This removes the documents of {0}. Type {1} to continue: ",
            scope,
            CLEAR_PHRASE,
          )
        : terminal.t(
            "This removes {0|document|documents}. Type {1} to continue: ",
            total_count,
            CLEAR_PHRASE,
          );
      if ((await ask(question, signal)) !== CLEAR_PHRASE) {
        terminal.notify("Nothing was removed.");
        return 1;
      }
    }
    const args = { confirm: true, confirmation_phrase: CLEAR_PHRASE, ...defined({ scope }) };
    const { value, payload } = await succeed(app, { contract: KNOWLEDGE_CLEAR, args, signal });
    const { documents_removed, embeddings_removed, storage_freed_mb } = value;
    const freed = describeMebibytes(storage_freed_mb);
    const removed = terminal.t(
      "Removed {0|document|documents} ({1|passage|passages}, {2})",
      documents_removed,
      embeddings_removed,
      freed,
    );
    terminal.result(payload, () => terminal.line(removed));
    return 0;
  },
});
