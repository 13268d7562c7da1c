// A document's Markdown table as names of columns and rows of cells.
import type { Block } from "../../domain/document.ts";
import { type Line, readLines } from "../../text/table-lines.ts";

export interface Grid {
  /** One name per column; of several header rows, all labels above the column. */
  readonly names: readonly string[];
  readonly rows: readonly Line[];
  readonly block: Block;
}

const MAX_VALUE_LENGTH = 40;
/** Years are common names of columns. */
const YEAR = /^(?:19|20)\d\d$/;
const DIGITS = /\d/;
const LONG_WORDS = /\p{L}{4}/u;

/** Undefined if the table has no header that names its columns. */
export function parseGrid(text: string, block: Block): Grid | undefined {
  const lines = readLines(text, block);
  const marked = lines.filter(({ start }) => start < (block.headerEnd ?? block.start + 1)).length;
  const count = Math.max(1, marked);
  const [header, rows] = [lines.slice(0, count), lines.slice(count)];
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length));
  if (width < 2 || rows.length === 0) return undefined;
  const names = Array.from({ length: width }, (_, at) => nameOf(header, at));
  const isNamed = names.filter((name) => name !== "").length > width / 2;
  return isNamed && !names.some(isValue) ? { names, rows, block } : undefined;
}

/** A merged label is stored only above the first of its columns. */
function nameOf(header: readonly Line[], at: number): string {
  const labels = header.map(({ cells }, level) => {
    const merged = level < header.length - 1 ? cells.slice(0, at).findLast(Boolean) : "";
    return cells[at] || merged || "";
  });
  return [...new Set(labels.filter(Boolean))].join(" ");
}

/** A number, an amount or a date rather than a name. */
export function isValue(cell: string): boolean {
  if (!DIGITS.test(cell) || YEAR.test(cell) || cell.length > MAX_VALUE_LENGTH) return false;
  return !LONG_WORDS.test(cell);
}
