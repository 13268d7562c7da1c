// One document in readable form: names, sizes, dates. `--json` has the raw fields.
import type { ProcessingMethod } from "../../domain/document.ts";
import { inertJson } from "../../text/clean/inert.ts";
import type { DocumentRow } from "../../tools/documents/contract.ts";
import { describeSize, describeTime } from "../terminal/format.ts";

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
    ...(title === undefined || title === filename ? [] : ([["Title", title]] as const)),
    ["Id", document.id],
    ["Format", document.format.toUpperCase()],
    ["Size", describeSize(document.size_bytes)],
    ...pagesOf(document),
    ["Passages", document.chunk_count.toLocaleString("en")],
    ["Read by", readBy(document)],
    ["Added", describeTime(document.date_added)],
    ...(document.revision === undefined ? [] : ([["Revision", `${document.revision}`]] as const)),
    ...(tags === undefined ? [] : ([["Tags", textOf(tags)]] as const)),
    ...Object.entries(rest).map(([name, value]): Field => [name, textOf(value)]),
    ...other_filenames.map((name): Field => ["Also as", name]),
    ...warnings.map((warning): Field => ["Note", warning]),
    ...(document.resource === undefined ? [] : ([["Address", document.resource]] as const)),
  ];
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
