// The part of a sheet that an image shows: the rows around a place in the text, with the header of their table.
import type { Block, ExtractedDocument } from "../../domain/document.ts";
import type { SheetPart } from "../../extract/extract.ts";
import { readLines } from "../../text/table-lines.ts";

const MAX_ROWS = 60;
const BEFORE = 15;
const MAX_COLUMNS = 20;

interface Line {
  readonly start: number;
  readonly end: number;
  readonly row?: number;
  readonly cells: readonly (readonly [column: number, text: string])[];
  /** Of its table, if it is not that itself. */
  readonly header?: Line;
}

/** `span`: what has to be in it; the beginning of the sheet if it is elsewhere. */
export function sheetPart(
  { text, blocks }: ExtractedDocument,
  sheet: string,
  span: { readonly start: number; readonly end: number },
): SheetPart {
  const own = blocks.filter(({ place, kind }) => place.sheet === sheet && kind !== "heading");
  const lines = own.flatMap((block) => linesOf(text, block));
  const wanted = lines.findIndex(({ start, end }) => end > span.start && start < span.end);
  const from = Math.max(0, Math.min(wanted - BEFORE, lines.length - MAX_ROWS));
  const shown = lines.slice(from, from + MAX_ROWS);
  const header = shown[0]?.header;
  const rows = header && !shown.includes(header) ? [header, ...shown.slice(0, -1)] : shown;
  return { columns: columnsOf(rows, text.slice(span.start, span.end), lines[wanted]), rows };
}

function linesOf(text: string, block: Block): readonly Line[] {
  if (block.kind !== "table")
    return [{ ...block, cells: [[0, text.slice(block.start, block.end)]] }];
  const columns = block.sheetCells?.columns ?? [];
  const [first, ...others] = readLines(text, block).map(({ cells, start, end, address: row }) => ({
    ...{ start, end, ...(row !== undefined && { row }) },
    cells: cells.flatMap((cell, at) => (cell === "" ? [] : [[columns[at] ?? at, cell] as const])),
  }));
  return first ? [first, ...others.map((line): Line => ({ ...line, header: first }))] : [];
}

/** All, or as many as an image has room for, with the wanted cell among them. */
function columnsOf(rows: readonly Line[], wanted: string, line?: Line): readonly number[] {
  const used = [...new Set(rows.flatMap(({ cells }) => cells.map(([column]) => column)))];
  const columns = used.toSorted((a, b) => a - b);
  const cell = line?.cells.find(([, text]) => wanted.includes(text) || text.includes(wanted));
  const at = columns.indexOf(cell?.[0] ?? 0);
  const from = Math.max(0, Math.min(at - MAX_COLUMNS / 2, columns.length - MAX_COLUMNS));
  return columns.slice(from, from + MAX_COLUMNS);
}
