import { defined } from "../../domain/defined.ts";
import { isMessage } from "../../domain/phrases/messages.ts";
import { inertJson } from "../../text/clean/inert.ts";
import type { DocumentRow } from "../../tools/documents/contract.ts";
import { describeDocument, findDocument, listDocuments } from "../call.ts";
import type { Command, CommandContext, OpenToolbox } from "../command.ts";
import { readNumber } from "../options.ts";
import { describeSize, describeTime } from "../terminal/format.ts";
import { numbers } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Speech, TextKey } from "../texts.ts";

export const show: Command = {
  name: "show",
  effect: "read",
  usage:
    "show [ID | FILENAME] [--text] [--match TEXT] [--scope SCOPE] [--sort-by FIELD] [--limit N] [--offset N]",
  options: {
    match: { value: "TEXT" },
    scope: { value: "SCOPE" },
    "sort-by": { value: "FIELD", choices: ["date_added", "filename", "size"] },
    limit: { short: "n", value: "N" },
    offset: { value: "N" },
    text: {},
  },
  examples: [
    "knowledge-server show",
    "knowledge-server show report.pdf",
    "knowledge-server show report.pdf --text",
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
    ...defined({ match: options["match"], scope: options["scope"] }),
    ...(sort !== undefined && { sort_by: sort, sort_order: sort === "filename" ? "asc" : "desc" }),
  };
  const listing = await listDocuments(app, args, signal);
  if (terminal.asJson) terminal.json(listing);
  else if (listing.documents.length === 0) {
    terminal.note(terminal.t(listing.message === undefined ? "noneMatch" : "emptyBase"));
  } else {
    printTable(listing.documents, terminal);
    const rest = listing.total_count - args.offset - listing.documents.length;
    if (rest > 0)
      terminal.note(terminal.t("moreDocuments", rest, String(args.offset + args.limit)));
  }
  return 0;
}

const OPTIONAL = { optional: true } as const;

function printTable(documents: readonly DocumentRow[], terminal: Terminal): void {
  terminal.table<DocumentRow>(
    [
      { head: "fieldId", value: ({ id }) => id.slice(0, 8), style: "dim" },
      { head: "fieldFile", value: ({ filename }) => filename, shrinks: true },
      { head: "fieldFormat", value: ({ format }) => format, optional: true },
      numbers("fieldSize", (row) => describeSize(row.size_bytes), OPTIONAL),
      numbers("fieldPassages", (row) => row.chunk_count, OPTIONAL),
      { head: "fieldReadBy", value: (row) => word(row, terminal), optional: true },
      { head: "fieldAdded", value: (row) => describeTime(row.date_added) },
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
  terminal.result(document ?? {}, () => {
    if (document) terminal.fields(describeFields(document, terminal));
  });
  return 0;
}

function word({ processing_method: code }: DocumentRow, { say }: Speech): string {
  return say({ code, values: [] });
}

type Field = readonly [name: string, value: string];

export function describeFields(document: DocumentRow, speech: Speech): readonly Field[] {
  const { t, language } = speech;
  const field = (key: TextKey, value: unknown) => optionalField(t(key), value);
  const { metadata = {}, other_filenames = [], title, filename } = document;
  const { tags, ...rest } = metadata;
  return [
    [t("fieldFile"), filename],
    ...field("fieldTitle", title === filename ? undefined : title),
    [t("fieldId"), document.id],
    ...field("fieldScope", document.scope),
    [t("fieldFormat"), document.format.toUpperCase()],
    [t("fieldSize"), describeSize(document.size_bytes)],
    ...pagesOf(document, speech),
    [t("fieldPassages"), document.chunk_count.toLocaleString(language)],
    [t("fieldReadBy"), readBy(document, speech)],
    [t("fieldAdded"), describeTime(document.date_added)],
    ...field("fieldRevision", document.revision),
    ...field("fieldTags", tags),
    ...Object.entries(rest).map(([name, value]): Field => [name, textOf(value)]),
    ...other_filenames.flatMap((name) => field("fieldAlso", name)),
    ...warningsOf(document, speech).flatMap((warning) => field("fieldNote", warning)),
    ...field("fieldAddress", document.resource),
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
  return [[t("fieldPages"), ocr_pages === 0 ? pages : t("pagesByOcr", pages, ocr_pages)]];
}

function readBy(document: DocumentRow, speech: Speech): string {
  const { ocr_confidence: sure } = document;
  const method = word(document, speech);
  return sure === undefined ? method : speech.t("sure", method, Math.round(sure * 100));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "object" ? inertJson(value) : String(value);
}
