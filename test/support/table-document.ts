// One document that contains only a table or a form, as returned by a search and a store.
import type { Reading } from "../../src/answer/answer-from-passages.ts";
import type { Block, ExtractedDocument, SheetCells } from "../../src/domain/document.ts";
import type { Passage } from "../../src/domain/passage.ts";
import { passage } from "./passages.ts";

export function documentOf(
  text: string,
  headerRows: number,
  sheetCells?: SheetCells,
): { readonly found: readonly Passage[]; readonly reading: Reading } {
  const place = sheetCells ? { sheet: "Staff" } : {};
  // The rule follows the first row.
  const header = text.split("\n").slice(0, headerRows + 1);
  const headerEnd = header.join("\n").length + 1;
  const block: Block = {
    kind: headerRows > 0 ? "table" : "paragraph",
    start: 0,
    end: text.length,
    place,
    ...(headerRows > 0 && { headerEnd }),
    ...(sheetCells && { sheetCells }),
  };
  const extracted: ExtractedDocument = {
    format: "md",
    method: "text_extraction",
    text,
    blocks: [block],
    pages: [],
    warnings: [],
  };
  return asStored(extracted, "figures.md");
}

/** A document as one chunk, found by a search. */
export function asStored(
  extracted: ExtractedDocument,
  filename: string,
): { readonly found: readonly Passage[]; readonly reading: Reading } {
  const { text, blocks } = extracted;
  const place = blocks.find(({ kind }) => kind === "table")?.place ?? {};
  const chunk = { id: "whole", ordinal: 0, start: 0, end: text.length, text, place, headings: [] };
  return {
    found: [passage(text, { chunkId: "whole", filename, place })],
    reading: {
      documents: {
        get: async () => extracted,
        extracted: async () => extracted,
        chunksOf: async () => [chunk],
      },
    },
  };
}
