import { defined } from "../../domain/defined.ts";
import type { ProcessingMethod } from "../../domain/document.ts";
import { inertJson } from "../../text/clean/inert.ts";
import { count } from "../../text/english/count.ts";
import type { DocumentRow } from "../../tools/documents/contract.ts";
import { describeDocument, findDocument, listDocuments, noDocuments } from "../call.ts";
import type { Command, CommandContext, OpenToolbox } from "../command.ts";
import { readNumber } from "../options.ts";
import { describeSize, describeTime } from "../terminal/format.ts";
import { numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";

export const show: Command = {
  name: "show",
  effect: "read",
  summary: "List documents, or show one",
  usage:
    "show [ID | FILENAME] [--text] [--match TEXT] [--scope SCOPE] [--sort-by FIELD] [--limit N] [--offset N]",
  options: {
    match: { value: "TEXT", help: "only names or titles that contain TEXT" },
    scope: { value: "SCOPE", help: "only this scope and what it inherits" },
    "sort-by": {
      value: "FIELD",
      choices: ["date_added", "filename", "size"],
      help: "date_added, filename or size",
    },
    limit: { short: "n", value: "N", help: "maximum number of documents (default 100)" },
    offset: { value: "N", help: "number of documents to skip" },
    text: { help: "print the document's text as Markdown" },
  },
  examples: {
    "knowledge-server show": "list the newest documents",
    "knowledge-server show report.pdf": "show one: size, pages, tags and more",
    "knowledge-server show report.pdf --text": "print its text",
  },
  async run(context) {
    const app = await context.openApp();
    const [given] = context.args;
    return given === undefined ? list(context, app) : one(given, context, app);
  },
};

async function list({ options, terminal, signal }: CommandContext, app: OpenToolbox) {
  const sort = options["sort-by"];
  const args = {
    limit: readNumber(options, "limit", { least: 1, most: 1000 }) ?? 100,
    offset: readNumber(options, "offset", { least: 0, most: Number.MAX_SAFE_INTEGER }) ?? 0,
    ...defined({ match: options["match"], scope: options["scope"] }),
    ...(sort !== undefined && { sort_by: sort, sort_order: sort === "filename" ? "asc" : "desc" }),
  };
  const listing = await listDocuments(app, args, signal);
  if (terminal.asJson) terminal.json(listing);
  else if (listing.documents.length === 0) {
    terminal.note(listing.message === undefined ? "No documents match." : noDocuments().message);
  } else {
    printTable(listing.documents, terminal);
    const rest = listing.total_count - args.offset - listing.documents.length;
    if (rest > 0)
      terminal.note(`${count(rest, "more document")}: add --offset ${args.offset + args.limit}`);
  }
  return 0;
}

const OPTIONAL = { optional: true } as const;

function printTable(documents: readonly DocumentRow[], terminal: Terminal): void {
  terminal.table<DocumentRow>(
    [
      { head: "ID", value: ({ id }) => id.slice(0, 8), style: "dim" },
      { head: "FILE", value: ({ filename }) => filename, shrinks: true },
      { head: "FORMAT", value: ({ format }) => format, optional: true },
      numbers("SIZE", (row) => describeSize(row.size_bytes), OPTIONAL),
      numbers("PASSAGES", (row) => row.chunk_count, OPTIONAL),
      { head: "READ BY", value: (row) => READ_BY[row.processing_method], optional: true },
      { head: "ADDED", value: (row) => describeTime(row.date_added) },
    ],
    documents,
  );
}

async function one(given: string, { options, terminal, signal }: CommandContext, app: OpenToolbox) {
  const { id } = await findDocument(app, given, signal);
  if (options["text"] === true) {
    terminal.document(await app.operations.documentText(id));
    return 0;
  }
  const document = await describeDocument(app, id, signal);
  if (terminal.asJson) terminal.json(document ?? {});
  else if (document !== undefined) terminal.fields(describeFields(document));
  return 0;
}

export const READ_BY: Readonly<Record<ProcessingMethod, string>> = {
  text_extraction: "text",
  ocr: "OCR",
  image_analysis: "OCR of an image",
  mixed: "text and OCR",
};

type Field = readonly [name: string, value: string];

export function describeFields(document: DocumentRow): readonly Field[] {
  const { metadata = {}, warnings = [], other_filenames = [], title, filename } = document;
  const { tags, ...rest } = metadata;
  return [
    ["File", filename],
    ...field("Title", title === filename ? undefined : title),
    ["Id", document.id],
    ...field("Scope", document.scope),
    ["Format", document.format.toUpperCase()],
    ["Size", describeSize(document.size_bytes)],
    ...pagesOf(document),
    ["Passages", document.chunk_count.toLocaleString("en")],
    ["Read by", readBy(document)],
    ["Added", describeTime(document.date_added)],
    ...field("Revision", document.revision),
    ...field("Tags", tags),
    ...Object.entries(rest).map(([name, value]): Field => [name, textOf(value)]),
    ...other_filenames.flatMap((name) => field("Also as", name)),
    ...warnings.flatMap((warning) => field("Note", warning)),
    ...field("Address", document.resource),
  ];
}

/** None without a value. */
function field(name: string, value: unknown): readonly Field[] {
  return value === undefined ? [] : [[name, textOf(value)]];
}

function pagesOf({ page_count, ocr_pages = 0 }: DocumentRow): readonly Field[] {
  if (page_count === undefined) return [];
  const pages = page_count.toLocaleString("en");
  return [["Pages", ocr_pages === 0 ? pages : `${pages} (${ocr_pages} by OCR)`]];
}

function readBy({ processing_method, ocr_confidence }: DocumentRow): string {
  const method = READ_BY[processing_method];
  if (ocr_confidence === undefined) return method;
  return `${method}, ${Math.round(ocr_confidence * 100)}% sure`;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "object" ? inertJson(value) : String(value);
}
