import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import { isMessage } from "../../domain/phrases/messages.ts";
import { inertJson } from "../../text/clean/inert.ts";
import type { DocumentRow } from "../../tools/documents/contract.ts";
import { describeDocument, EMPTY_BASE, findDocument, listDocuments } from "../call.ts";
import { command } from "../command.ts";
import { describeSize, describeTime } from "../terminal/format.ts";
import { type Column, numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Speech, Text } from "../texts.ts";

export const show = command({
  name: "show",
  summary: "List documents, or show one",
  effect: "read",
  usage:
    "show [ID | FILENAME] [--text] [--match TEXT] [--scope SCOPE] [--sort-by FIELD] [--limit N] [--offset N]",
  options: {
    match: { help: "only names or titles that contain TEXT", value: "TEXT" },
    scope: { help: "only this scope and what it inherits", value: "SCOPE" },
    "sort-by": {
      help: "the order of the list",
      value: "FIELD",
      choices: ["date_added", "filename", "size"],
    },
    limit: {
      help: "maximum number of documents (default 100)",
      short: "n",
      value: "N",
      range: [1, 1000],
    },
    offset: {
      help: "number of documents to skip",
      value: "N",
      range: [0, Number.MAX_SAFE_INTEGER],
    },
    text: { help: "print the document's text as Markdown" },
  },
  examples: `
    knowledge-server show                    # list the newest documents
    knowledge-server show report.pdf         # show one: size, pages, tags and more
    knowledge-server show report.pdf --text  # print its text
  `,
  async run({ args: [given], options, openApp, terminal, signal }) {
    const app = await openApp();
    if (given !== undefined) {
      const { id } = await findDocument(app, given, signal);
      if (options.text) terminal.document(await app.operations.documentText(id));
      else {
        const document = await describeDocument(app, id, signal);
        terminal.result(document ?? {}, () => {
          if (document) terminal.fields(describeFields(document, terminal));
        });
      }
      return 0;
    }
    const { limit = 100, offset = 0, match, scope, "sort-by": sort_by } = options;
    const sort_order = sort_by === "filename" ? "asc" : "desc";
    const asked = defined({ limit, offset, match, scope, sort_by });
    const listing = await listDocuments(app, { ...asked, ...(sort_by && { sort_order }) }, signal);
    terminal.result(listing, () => {
      const { documents, total_count, message } = listing;
      if (documents.length > 0) printTable(documents, terminal);
      else if (message === undefined) terminal.notify("No documents match.");
      else terminal.notify(EMPTY_BASE);
      const rest = total_count - offset - documents.length;
      if (documents.length > 0 && rest > 0) terminal.notify(MORE, rest, String(offset + limit));
    });
    return 0;
  },
});

const MORE = "{0|more document|more documents}: add --offset {1}";

const OPTIONAL = { optional: true } as const;

const SCOPE: Column<DocumentRow> = {
  head: "Scope",
  value: ({ scope }) => scope ?? GENERAL_SCOPE,
};

function printTable(documents: readonly DocumentRow[], terminal: Terminal): void {
  terminal.table<DocumentRow>(
    [
      { head: "Id", value: ({ id }) => id.slice(0, 8), style: "dim" },
      { head: "File", value: ({ filename }) => filename, shrinks: true },
      { head: "Format", value: ({ format }) => format, optional: true },
      numbers("Size", (row) => describeSize(row.size_bytes), OPTIONAL),
      numbers("Passages", (row) => row.chunk_count, OPTIONAL),
      { head: "Read by", value: (row) => word(row, terminal), optional: true },
      { head: "Added", value: (row) => describeTime(row.date_added) },
      ...(documents.some(({ scope }) => scope) ? [SCOPE] : []),
    ],
    documents,
  );
}

function word({ processing_method: code }: DocumentRow, { say }: Speech): string {
  return say({ code, values: [] });
}

type Field = readonly [name: string, value: string];

export function describeFields(document: DocumentRow, speech: Speech): readonly Field[] {
  const { t, language } = speech;
  const field = (key: Text, value: unknown) => optionalField(t(key), value);
  const { metadata = {}, other_filenames = [], title, filename } = document;
  const { tags, ...rest } = metadata;
  return [
    [t("File"), filename],
    ...field("Title", title === filename ? undefined : title),
    [t("Id"), document.id],
    ...field("Scope", document.scope),
    [t("Format"), document.format.toUpperCase()],
    [t("Size"), describeSize(document.size_bytes)],
    ...pagesOf(document, speech),
    [t("Passages"), document.chunk_count.toLocaleString(language)],
    [t("Read by"), readBy(document, speech)],
    [t("Added"), describeTime(document.date_added)],
    ...field("Revision", document.revision),
    ...field("Tags", tags),
    ...Object.entries(rest).map(([name, value]): Field => [name, textOf(value)]),
    ...other_filenames.flatMap((name) => field("Also as", name)),
    ...warningsOf(document, speech).flatMap((warning) => field("Note", warning)),
    ...field("Address", document.resource),
  ];
}

/** None without a value. */
function optionalField(name: string, value: unknown): readonly Field[] {
  return value === undefined ? [] : [[name, textOf(value)]];
}

function warningsOf({ warnings = [], warning_codes: codes }: DocumentRow, { say }: Speech) {
  return codes?.every(isMessage) ? codes.map(say) : warnings;
}

function pagesOf(
  { page_count, ocr_pages = 0 }: DocumentRow,
  { t, language }: Speech,
): readonly Field[] {
  if (page_count === undefined) return [];
  const pages = page_count.toLocaleString(language);
  return [[t("Pages"), ocr_pages === 0 ? pages : t("{0} ({1} by OCR)", pages, ocr_pages)]];
}

function readBy(document: DocumentRow, speech: Speech): string {
  const { ocr_confidence: sure } = document;
  const method = word(document, speech);
  return sure === undefined ? method : speech.t("{0}, {1}% sure", method, Math.round(sure * 100));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "object" ? inertJson(value) : String(value);
}
