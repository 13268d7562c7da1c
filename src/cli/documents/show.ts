import { inertJson } from "../../text/clean/inert.ts";
import type { DocumentRow } from "../../tools/documents/contract.ts";
import type { Command, CommandContext, OpenToolbox } from "../command.ts";
import { readNumber } from "../terminal/number.ts";
import { describeSize, describeTime } from "../terminal/size.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { describeDocument, findDocument, listDocuments } from "./find-document.ts";

export const show: Command = {
  name: "show",
  effect: "read",
  summary: "List documents, or show one of them",
  usage: "show [ID | FILENAME] [--match TEXT] [--sort FIELD] [--limit N] [--offset N]",
  options: {
    match: { type: "string", value: "TEXT", help: "only names or titles that contain it" },
    sort: { type: "string", value: "FIELD", help: "date_added, filename or size" },
    limit: { type: "string", short: "n", value: "N", help: "most documents (default 100)" },
    offset: { type: "string", value: "N", help: "documents to pass over" },
    text: { type: "boolean", help: "print the document's text as Markdown" },
  },
  examples: [
    { line: "knowledge-server show", does: "list the newest documents" },
    { line: "knowledge-server show report.pdf --text", does: "print what was read from a file" },
  ],
  async run(context) {
    const app = await context.openApp();
    const [given] = context.args;
    return given === undefined ? list(context, app) : one(given, context, app);
  },
};

async function list({ options, terminal, signal }: CommandContext, app: OpenToolbox) {
  const sort = options["sort"];
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
    terminal.note(
      listing.message === undefined
        ? "No documents match."
        : "The knowledge base is empty: knowledge-server add PATH… fills it.",
    );
  } else {
    printTable(listing.documents, terminal);
    const rest = listing.total_count - args.offset - listing.documents.length;
    if (rest > 0) terminal.note(`${rest} more: add --offset ${args.offset + args.limit}`);
  }
  return 0;
}

function printTable(documents: readonly DocumentRow[], terminal: Terminal): void {
  terminal.table<DocumentRow>(
    [
      { head: "ID", value: ({ id }) => id.slice(0, 8), style: "dim" },
      { head: "FILE", value: ({ filename }) => filename, gives: true },
      { head: "FORMAT", value: ({ format }) => format, spare: true },
      { head: "SIZE", value: (row) => describeSize(row.size_bytes), align: "right", spare: true },
      { head: "CHUNKS", value: (row) => String(row.chunk_count), align: "right", spare: true },
      { head: "READ BY", value: (row) => row.processing_method.replaceAll("_", " "), spare: true },
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
  const [document = {}] = await describeDocument(app, id, signal);
  if (terminal.asJson) terminal.json(document);
  else for (const [name, value] of Object.entries(document)) printField(name, value, terminal);
  return 0;
}

function printField(name: string, value: unknown, terminal: Terminal): void {
  const text = typeof value === "object" ? inertJson(value) : String(value);
  terminal.line(`${terminal.style("bold", name.replaceAll("_", " ").padEnd(18))} ${text}`);
}
