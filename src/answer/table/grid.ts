// A document's Markdown table as names of columns and rows of cells.
import type { Block } from "../../domain/document.ts";

export interface Grid {
  /** One name per column; of several header rows, all labels above the column. */
  readonly names: readonly string[];
  readonly rows: readonly Line[];
  readonly block: Block;
}

const MAX_HEADER_ROWS = 3;
const MAX_VALUE_LENGTH = 40;
/** Years are common names of columns. */
const YEAR = /^(?:19|20)\d\d$/;
const DIGITS = /\d/;
const LONG_WORDS = /\p{L}{4}/u;

/** Undefined if the table has no header that names its columns. */
export function parseGrid(text: string, block: Block): Grid | undefined {
  const lines = readLines(text, block);
  const marked = lines.filter(({ start }) => start < (block.headerEnd ?? block.start + 1)).length;
  const count = headerRows(lines, Math.max(1, marked));
  const [header, rows] = [lines.slice(0, count), lines.slice(count)];
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length));
  if (width < 2 || rows.length === 0) return undefined;
  const names = Array.from({ length: width }, (_, at) => nameOf(header, at));
  const isNamed = names.filter((name) => name !== "").length > width / 2;
  return isNamed && !names.some(isValue) ? { names, rows, block } : undefined;
}

/** Extractors mark one header row; a second one below merged labels looks like data to them. */
function headerRows(lines: readonly Line[], marked: number): number {
  let count = marked;
  while (count < Math.min(MAX_HEADER_ROWS, lines.length - 1) && isSubHeader(lines, count)) count++;
  return count;
}

function isSubHeader(lines: readonly Line[], at: number): boolean {
  const [above, row, below] = [lines[at - 1], lines[at], lines[at + 1]];
  if (!above || !row || !below) return false;
  const hasGaps = above.cells.some((cell, column) => cell === "" && row.cells[column]);
  return hasGaps && !row.cells.some(isValue) && below.cells.some(isValue);
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

// Reads the rows of a Markdown table: cells without markup, and the position of each row.

export interface Line {
  readonly cells: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly address?: number;
}

/** Parsing this many cells takes about 50 ms. */
const MAX_CELLS = 200_000;
const RULE = /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?)?\s*$/;

function cellsOf(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => unmark(cell.replaceAll("\\|", "|")).trim());
}

function unmark(cell: string): string {
  return cell.replace(/\*\*|__|`/g, "").replace(/\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, "$1");
}

export function readLines(text: string, block: Block): readonly Line[] {
  const lines: Line[] = [];
  const addresses = rowAddresses(block);
  let cells = 0;
  for (let start = block.start; start < block.end; ) {
    const cut = text.indexOf("\n", start);
    const end = cut < 0 || cut > block.end ? block.end : cut;
    const line = text.slice(start, end);
    if (line.includes("|") && !RULE.test(line)) {
      const row = { cells: cellsOf(line), start, end };
      const address = addresses.next().value;
      lines.push(address === undefined ? row : { ...row, address });
      cells += row.cells.length;
      if (cells > MAX_CELLS) break;
    }
    start = end + 1;
  }
  return lines;
}

/** If the source has no addresses, rows are numbered from 1. */
function* rowAddresses({ sheetCells }: Block): Generator<number, undefined> {
  const counted: readonly (readonly [number, number])[] = [[1, MAX_CELLS]];
  for (const [first, count] of sheetCells?.rows ?? counted)
    for (let at = 0; at < count; at++) yield first + at;
  return undefined;
}
