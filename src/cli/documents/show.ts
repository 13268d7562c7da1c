import { count } from "../../text/english/count.ts";
import type { DocumentRow } from "../../tools/documents/contract.ts";
import type { Command, CommandContext, OpenToolbox } from "../command.ts";
import { readNumber } from "../options/number.ts";
import { describeSize, describeTime } from "../terminal/format.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { describeFields, READ_BY } from "./document-fields.ts";
import { describeDocument, findDocument, listDocuments } from "./find-document.ts";
import { noDocuments } from "./no-documents.ts";

export const show: Command = {
  name: "show",
  effect: "read",
  summary: "List documents, or show one",
  usage: "show [ID | FILENAME] [--text] [--match TEXT] [--sort-by FIELD] [--limit N] [--offset N]",
  options: {
    match: { type: "string", value: "TEXT", help: "only names or titles that contain TEXT" },
    "sort-by": {
      type: "string",
      value: "FIELD",
      choices: ["date_added", "filename", "size"],
      help: "date_added, filename or size",
    },
    limit: {
      type: "string",
      short: "n",
      value: "N",
      help: "maximum number of documents (default 100)",
    },
    offset: { type: "string", value: "N", help: "number of documents to skip" },
    text: { type: "boolean", help: "print the document's text as Markdown" },
  },
  examples: [
    { line: "knowledge-server show", does: "list the newest documents" },
    { line: "knowledge-server show report.pdf", does: "show one: size, pages, tags and more" },
    { line: "knowledge-server show report.pdf --text", does: "print its text" },
  ],
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
    ...(options["match"] === undefined ? {} : { match: options["match"] }),
    ...(sort === undefined
      ? {}
      : { sort_by: sort, sort_order: sort === "filename" ? "asc" : "desc" }),
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

function printTable(documents: readonly DocumentRow[], terminal: Terminal): void {
  terminal.table<DocumentRow>(
    [
      { head: "ID", value: ({ id }) => id.slice(0, 8), style: "dim" },
      { head: "FILE", value: ({ filename }) => filename, shrinks: true },
      { head: "FORMAT", value: ({ format }) => format, optional: true },
      {
        head: "SIZE",
        value: (row) => describeSize(row.size_bytes),
        align: "right",
        optional: true,
      },
      { head: "PASSAGES", value: (row) => String(row.chunk_count), align: "right", optional: true },
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
  const [document] = await describeDocument(app, id, signal);
  if (terminal.asJson) terminal.json(document ?? {});
  else if (document !== undefined) terminal.fields(describeFields(document));
  return 0;
}
