// Rows of words in columns under a header → a table. Only what is clearly one: a receipt, a form or a diagram
// has rows and gaps, too, and reads better line by line.
//
//   Sample   Depth   pH            | Sample | Depth | pH  |
//   S-1      15      6.4      →    | S-1    | 15    | 6.4 |
//   S-2      30      6.9           | S-2    | 30    | 6.9 |
import { isWide } from "../../../../text/scripts.ts";
import type { Row } from "./rows.ts";
import { type OcrWord, unspaced } from "./word.ts";

export interface FoundTable {
  /** The rows of words that it takes: from this one to before that one. */
  readonly from: number;
  readonly to: number;
  /** The header first. */
  readonly cells: readonly (readonly string[])[];
}

interface Cell {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

interface Line {
  readonly cells: readonly Cell[];
  readonly top: number;
  readonly bottom: number;
  readonly level: number;
  readonly height: number;
}

interface Column {
  left: number;
  right: number;
}

const FEWEST_COLUMNS = 3;
const FEWEST_LINES = 3;
// Words of one cell are closer than this many heights; wide letters are set without spaces.
const WORD_GAP = 0.9;
const WIDE_GAP = 1.3;
// Rows of a table may be set far apart, but not farther.
const LINE_GAP = 3;
const TIGHT = 0.35;
// Boxes of words are not exact; a title is set much larger than a table.
const ALIKE = 0.5;
// Rows are so much farther from each other than the lines of one row.
const FARTHER = 1.6;
// Of the cells below the header, so many have a digit: columns of prose and boxes of a diagram have fewer.
const LEAST_DIGITS = 0.25;

export function findTables(rows: readonly Row[]): readonly FoundTable[] {
  const lines = rows.map(toLine);
  const found: FoundTable[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const table =
      (lines[at]?.cells.length ?? 0) >= FEWEST_COLUMNS
        ? tableAt(lines, at, found.at(-1)?.to ?? 0)
        : undefined;
    if (table === undefined) continue;
    found.push(table);
    at = table.to - 1;
  }
  return found;
}

function toLine({ words }: Row): Line {
  const kept = words.filter(({ text }) => !/^[|｜[\]_—-]+$/u.test(text)).map(unspaced);
  const height = median(kept.map((word) => word.height));
  return {
    cells: toCells(kept, height),
    top: Math.min(...kept.map(({ y }) => y)),
    bottom: Math.max(...kept.map((word) => word.y + word.height)),
    level: median(kept.map((word) => word.y + word.height / 2)),
    height,
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function toCells(words: readonly OcrWord[], height: number): readonly Cell[] {
  const cells: Cell[] = [];
  for (const { text, x, width } of words) {
    const last = cells.at(-1);
    const wide =
      last && isWide(last.text.charCodeAt(last.text.length - 1)) && isWide(text.charCodeAt(0));
    const gap = last === undefined ? 0 : x - last.right;
    if (last === undefined || gap > height * (wide ? WIDE_GAP : WORD_GAP))
      cells.push({ text, left: x, right: x + width });
    else
      cells[cells.length - 1] = {
        text: wide ? last.text + text : `${last.text} ${text}`,
        left: last.left,
        right: Math.max(last.right, x + width),
      };
  }
  return cells;
}

/** Down from a line of several cells as long as every cell has a column, then up for what heads it. */
function tableAt(lines: readonly Line[], seed: number, least: number): FoundTable | undefined {
  const columns = (lines[seed]?.cells ?? []).map(({ left, right }): Column => ({ left, right }));
  let to = seed + 1;
  const isLike = (line: Line) => lines.slice(seed, to).some((taken) => isAlike(line, taken));
  while (to < lines.length && isLike(lines[to] as Line) && follows(lines, to, columns)) to += 1;
  while (to > seed + 1 && isBehind(lines, to - 1)) to -= 1;
  let from = seed;
  while (from > least && heads(lines, from - 1, columns)) from -= 1;
  const taken = lines.slice(from, to);
  if (columns.length < FEWEST_COLUMNS || taken.length < FEWEST_LINES) return undefined;
  const cells = toTable(taken, columns);
  return cells && { from, to, cells };
}

function follows(lines: readonly Line[], at: number, columns: Column[]): boolean {
  const [above, line] = [lines[at - 1], lines[at]];
  if (!above || !line || line.cells.length === 0) return false;
  const isFar = line.top - above.bottom > Math.max(line.height, above.height) * LINE_GAP;
  return !isFar && !isField(line, columns) && take(line, columns);
}

/** A line of one cell, not close to the table above it: the title of what comes next. */
function isBehind(lines: readonly Line[], at: number): boolean {
  const [above, line] = [lines[at - 1], lines[at]];
  if (!above || line?.cells.length !== 1) return false;
  return line.top - above.bottom > line.height * TIGHT;
}

/** "Total   278.40" below an invoice's items, and not in the first column. */
function isField({ cells: [label, value, ...more] }: Line, columns: readonly Column[]): boolean {
  if (!label || !value || more.length > 0 || columns.length <= FEWEST_COLUMNS) return false;
  const isLabel = /^\P{Nd}*\p{L}\P{Nd}*$/u.test(label.text.replace(/\d+\s?%/g, ""));
  return (
    isLabel && /\d/.test(value.text) && !columnsOf(label, columns).includes(columns[0] as Column)
  );
}

/** Close to what is below, or what is below still lacks a header. */
function heads(lines: readonly Line[], at: number, columns: Column[]): boolean {
  const [line, below] = [lines[at], lines[at + 1]];
  if (!line || !below || line.cells.length === 0) return false;
  const isBare = below.cells.some(({ text }) => /\d/.test(text));
  const gap = below.top - line.bottom;
  const isNear = gap < Math.max(line.height, below.height) * (isBare ? LINE_GAP : TIGHT);
  return isNear && isAlike(line, below) && isInside(line, columns) && take(line, columns);
}

function isAlike(line: Line, other: Line): boolean {
  return Math.min(line.height, other.height) > Math.max(line.height, other.height) * ALIKE;
}

function isInside({ cells }: Line, columns: readonly Column[]): boolean {
  return cells.every((cell) => columnsOf(cell, columns).length === 1);
}

function columnsOf({ left, right }: Column, columns: readonly Column[]): readonly Column[] {
  return columns.filter((column) => column.left < right && column.right > left);
}

/** Widens the columns by a line's cells, and makes new ones; false, and nothing done, where a cell is over two. */
function take({ cells }: Line, columns: Column[]): boolean {
  const homes = cells.map((cell) => columnsOf(cell, columns));
  if (homes.some((home) => home.length > 1) || homes.every((home) => home.length === 0))
    return false;
  for (const [at, { left, right }] of cells.entries()) {
    const [home] = homes[at] ?? [];
    if (home === undefined) columns.push({ left, right });
    else {
      home.left = Math.min(home.left, left);
      home.right = Math.max(home.right, right);
    }
  }
  columns.sort((a, b) => a.left - b.left);
  return columns.every((column, at) => at === 0 || (columns[at - 1]?.right ?? 0) <= column.left);
}

function toTable(
  lines: readonly Line[],
  columns: readonly Column[],
): readonly (readonly string[])[] | undefined {
  const placed = lines.map((line) => ({ line, texts: textsOf([line], columns) }));
  const size = headerSize(placed);
  const header = textsOf(lines.slice(0, size), columns);
  const body = joinWrapped(lines.slice(size), columns);
  return isHeader(header) && isData(body, columns.length) ? [header, ...body] : undefined;
}

/** What several lines have in each column, from top to bottom. */
function textsOf(lines: readonly Line[], columns: readonly Column[]): readonly string[] {
  return columns.map((column) =>
    lines
      .flatMap(({ cells }) => cells.filter((cell) => columnsOf(cell, [column]).length > 0))
      .map(({ text }) => text.replace(/^[|｜\s]+|[|｜\s]+$/gu, ""))
      .reduce(joined, ""),
  );
}

function joined(before: string, text: string): string {
  const wide = isWide(before.charCodeAt(before.length - 1)) && isWide(text.charCodeAt(0));
  return before === "" || wide ? before + text : `${before} ${text}`;
}

/** Lines without a digit, as long as a column is still without a name or they follow closely. */
function headerSize(
  placed: readonly { readonly line: Line; readonly texts: readonly string[] }[],
): number {
  let size = 1;
  const named = (placed[0]?.texts ?? []).map((text) => text !== "");
  for (const [at, { line, texts }] of placed.entries()) {
    if (at === 0) continue;
    const gap = line.top - (placed[at - 1]?.line.bottom ?? 0);
    const isFull = texts.every((text) => text !== "");
    const isOpen = named.includes(false) || (gap < line.height * TIGHT && !isFull);
    if (texts.some((text) => /\d/.test(text)) || !isOpen) break;
    for (const [column, text] of texts.entries()) named[column] ||= text !== "";
    size = at + 1;
  }
  return size;
}

const NUMBER = /^[^\p{L}]*\d[^\p{L}]*$/u;
const YEAR = /^(?:19|20)\d\d(?:年度?)?$/u;

function isHeader(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text !== "");
  return (
    filled.length >= Math.max(FEWEST_COLUMNS, texts.length - 1) &&
    filled.filter((text) => /\p{L}/u.test(text)).length >= 2 &&
    // "Patient ID:" is a form's label.
    !filled.some((text) => /[:：]$/u.test(text)) &&
    filled.every((text) => !NUMBER.test(text) || YEAR.test(text))
  );
}

function isData(body: readonly (readonly string[])[], width: number): boolean {
  const full = body.filter(
    (row) => row.filter((text) => text !== "").length >= Math.min(width, FEWEST_COLUMNS),
  );
  const cells = body.flat().filter((text) => text !== "");
  const typed = cells.filter((text) => /\d/.test(text)).length;
  return (
    full.length >= FEWEST_LINES - 1 &&
    full.length >= body.length / 2 &&
    typed >= cells.length * LEAST_DIGITS
  );
}

/** Lines that are clearly closer than the others are lines of one cell, unless two numbers would share a cell. */
function joinWrapped(
  lines: readonly Line[],
  columns: readonly Column[],
): readonly (readonly string[])[] {
  const apart = lines.map((line) => textsOf([line], columns));
  const steps = lines.slice(1).map((line, at) => line.level - (lines[at]?.level ?? 0));
  const [closest, farthest] = [Math.min(...steps), Math.max(...steps)];
  if (steps.length < 2 || farthest < closest * FARTHER) return apart;
  const groups: Line[][] = [];
  for (const [at, line] of lines.entries()) {
    const step = steps[at - 1];
    if (step === undefined || step > (closest + farthest) / 2) groups.push([line]);
    else groups.at(-1)?.push(line);
  }
  const numbers = (group: readonly Line[], column: Column) =>
    group.filter((line) => NUMBER.test(textsOf([line], [column])[0] ?? "")).length;
  const isMixed = groups.some((group) => columns.some((column) => numbers(group, column) > 1));
  return isMixed ? apart : groups.map((group) => textsOf(group, columns));
}
