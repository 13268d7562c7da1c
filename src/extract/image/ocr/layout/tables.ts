// Finds tables: rows of words in columns below a header. Only clear ones, because a receipt, a form or a diagram
// has rows and gaps too, and is better read line by line.
//
//   Sample   Depth   pH            | Sample | Depth | pH  |
//   S-1      15      6.4      →    | S-1    | 15    | 6.4 |
//   S-2      30      6.9           | S-2    | 30    | 6.9 |
import type { Row } from "./rows.ts";
import { MIN_COLUMNS, MIN_LINES, TIGHT, toTable } from "./table-cells.ts";
import { type Column, columnsOf, type Line, toLine, widen } from "./table-lines.ts";

export interface FoundTable {
  /** The range of rows that it covers; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** The header comes first. */
  readonly cells: readonly (readonly string[])[];
}

// The largest gap between rows of a table, in heights.
const LINE_GAP = 3;
// The minimum ratio of heights: word boxes are inexact, but a title is much larger than a table's text.
const ALIKE = 0.5;

export function findTables(rows: readonly Row[]): readonly FoundTable[] {
  const lines = rows.map((row) => toLine(row));
  const found: FoundTable[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const table =
      (lines[at]?.cells.length ?? 0) >= MIN_COLUMNS
        ? tableAt(lines, at, found.at(-1)?.to ?? 0)
        : undefined;
    if (table === undefined) continue;
    found.push(table);
    at = table.to - 1;
  }
  return found;
}

/** Extends downwards from a line of several cells while every cell fits a column, then upwards for the header. */
function tableAt(lines: readonly Line[], seed: number, least: number): FoundTable | undefined {
  const columns = (lines[seed]?.cells ?? []).map(({ left, right }): Column => ({ left, right }));
  let to = seed + 1;
  const isLike = (line: Line) => lines.slice(seed, to).some((taken) => isAlike(line, taken));
  while (to < lines.length && isLike(lines[to] as Line) && follows(lines, to, columns)) to += 1;
  while (to > seed + 1 && isBehind(lines, to - 1)) to -= 1;
  let from = seed;
  while (from > least && heads(lines, from - 1, columns)) from -= 1;
  const taken = lines.slice(from, to);
  if (columns.length < MIN_COLUMNS || taken.length < MIN_LINES) return undefined;
  const cells = toTable(taken, columns);
  return cells && { from, to, cells };
}

function follows(lines: readonly Line[], at: number, columns: Column[]): boolean {
  const [above, line] = [lines[at - 1], lines[at]];
  if (!above || !line || line.cells.length === 0) return false;
  const isFar = line.top - above.bottom > Math.max(line.height, above.height) * LINE_GAP;
  return !isFar && !isField(line, columns) && widen(line, columns);
}

/** True for a single cell some distance below the table, which is the title of what follows. */
function isBehind(lines: readonly Line[], at: number): boolean {
  const [above, line] = [lines[at - 1], lines[at]];
  if (!above || line?.cells.length !== 1) return false;
  return line.top - above.bottom > line.height * TIGHT;
}

/**
 * True for a field such as "Total   278.40" below an invoice's items that does not start in the
 * first column.
 */
function isField({ cells: [label, value, ...more] }: Line, columns: readonly Column[]): boolean {
  if (!label || !value || more.length > 0 || columns.length <= MIN_COLUMNS) return false;
  const isLabel = /^\P{Nd}*\p{L}\P{Nd}*$/u.test(label.text.replace(/\d+\s?%/g, ""));
  return (
    isLabel && /\d/.test(value.text) && !columnsOf(label, columns).includes(columns[0] as Column)
  );
}

/** A line above belongs to the header if it is close, or if there is no header yet. */
function heads(lines: readonly Line[], at: number, columns: Column[]): boolean {
  const [line, below] = [lines[at], lines[at + 1]];
  if (!line || !below || line.cells.length === 0) return false;
  const isBare = below.cells.some(({ text }) => /\d/.test(text));
  const gap = below.top - line.bottom;
  const isNear = gap < Math.max(line.height, below.height) * (isBare ? LINE_GAP : TIGHT);
  return isNear && isAlike(line, below) && isInside(line, columns) && widen(line, columns);
}

function isAlike(line: Line, other: Line): boolean {
  return Math.min(line.height, other.height) > Math.max(line.height, other.height) * ALIKE;
}

function isInside({ cells }: Line, columns: readonly Column[]): boolean {
  return cells.every((cell) => columnsOf(cell, columns).length === 1);
}
