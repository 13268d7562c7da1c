// Turns lines into a header and rows of text, or rejects them if they are not clearly a table.
import { type Column, columnsOf, type Line } from "./table-lines.ts";
import { areWide } from "./word.ts";

export const MIN_COLUMNS = 3;
export const MIN_LINES = 3;
// Lines with a gap of less than this many heights belong together.
export const TIGHT = 0.35;
// Rows are at least this many times farther apart than the lines of one row.
const FARTHER = 1.6;
// The minimum share of cells below the header with a digit; columns of prose and diagrams have fewer.
const MIN_DIGITS = 0.25;
const NUMBER = /^[^\p{L}]*\d[^\p{L}]*$/u;
const YEAR = /^(?:19|20)\d\d(?:年度?)?$/u;

export function toTable(
  lines: readonly Line[],
  columns: readonly Column[],
): readonly (readonly string[])[] | undefined {
  const placed = lines.map((line) => ({ line, texts: textsOf([line], columns) }));
  const size = headerSize(placed);
  const header = textsOf(lines.slice(0, size), columns);
  const body = joinWrapped(lines.slice(size), columns);
  return isHeader(header) && isData(body, columns.length) ? [header, ...body] : undefined;
}

/** Joins the text of several lines in each column, from top to bottom. */
function textsOf(lines: readonly Line[], columns: readonly Column[]): readonly string[] {
  return columns.map((column) =>
    lines
      .flatMap(({ cells }) => cells.filter((cell) => columnsOf(cell, [column]).length > 0))
      .map(({ text }) => text.replace(/^[|｜\s]+|[|｜\s]+$/gu, ""))
      .reduce(joined, ""),
  );
}

function joined(before: string, text: string): string {
  return before === "" || areWide(before, text) ? before + text : `${before} ${text}`;
}

/** Counts lines without a digit while a column still lacks a name or the lines are close together. */
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

function isHeader(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text !== "");
  return (
    filled.length >= Math.max(MIN_COLUMNS, texts.length - 1) &&
    filled.filter((text) => /\p{L}/u.test(text)).length >= 2 &&
    // "Patient ID:" is a form's label.
    !filled.some((text) => /[:：]$/u.test(text)) &&
    filled.every((text) => !NUMBER.test(text) || YEAR.test(text))
  );
}

function isData(body: readonly (readonly string[])[], width: number): boolean {
  const full = body.filter(
    (row) => row.filter((text) => text !== "").length >= Math.min(width, MIN_COLUMNS),
  );
  const cells = body.flat().filter((text) => text !== "");
  const typed = cells.filter((text) => /\d/.test(text)).length;
  return (
    full.length >= MIN_LINES - 1 &&
    full.length >= body.length / 2 &&
    typed >= cells.length * MIN_DIGITS
  );
}

/** Joins lines that are clearly closer than the others into one row, unless two numbers would share a cell. */
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
