// A table of a document's Markdown → columns and rows. What is no row of data (headers, sections, totals) is known as such.
import type { Block, Place } from "../../../domain/document.ts";
import { type CellValue, readValue } from "./cell-value.ts";
import { foldInPlace } from "./fold.ts";
import { type Readable, toReadable } from "./readable.ts";
import { alignUnits } from "./units.ts";

export interface Column {
  readonly name: string;
  /** The label over it and its neighbours, where there are two rows of headers. */
  readonly group: string;
  readonly type: "number" | "date" | "text";
  /** Its number in the sheet or table, counted from zero. */
  readonly address?: number;
}

export interface Row {
  readonly cells: readonly string[];
  readonly values: readonly (CellValue | undefined)[];
  /** Offsets into the document's text. */
  readonly start: number;
  readonly end: number;
  /** The label of the section it is in, or of a row that spans the table. */
  readonly section: string;
  /** Section and cells, to be compared with questions. */
  readonly folded: string;
  readonly address?: number;
}

export interface Grid {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Rows that sum up others: never counted, never compared, but looked up. */
  readonly totals: readonly Row[];
  readonly place: Place;
  /** Its cells have the addresses of a sheet. */
  readonly isSheet: boolean;
  /** What is written over it: title, headings, a caption, the group's label. */
  readonly context: string;
  /** That and the headers, to be compared with questions. */
  readonly about: Readable;
  readonly headers: readonly string[];
  /** The column whose cells name the rows. */
  readonly key: number;
}

interface Line {
  readonly cells: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly address?: number;
}

/** Together they take some 50 ms. */
const MOST_CELLS = 200_000;
const MOST_NOTES = 8;
const RULE = /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?)?\s*$/;
const TOTAL =
  /^(?:grand |sub-?|overall |net )?totals?\b|^sum\b|^(?:all|overall)$|^averages?\b|^mean\b|^(?:総|小|合)?計$|^合計|^総計|^小計|^総合計|^平均/iu;

export function parseGrids(text: string, block: Block, context: string): readonly Grid[] {
  const lines = readLines(text, block);
  const split = splitHeader(lines, text, block);
  if (split === undefined || isPairs(split)) return [];
  return parts(split).flatMap((columns) => toGrid(split, columns, { block, context }) ?? []);
}

/** A table of labels and values side by side: it has no header. Its pairs, row by row. */
export function parsePairs(text: string, block: Block): readonly Pair[] {
  const lines = readLines(text, block);
  const split = splitHeader(lines, text, block);
  if (split === undefined || !isPairs(split)) return [];
  return lines.flatMap(({ cells, start, end }) => {
    const pairs: Pair[] = [];
    for (let at = 0; at + 1 < cells.length; at += 2) {
      const [label = "", value = ""] = [cells[at], cells[at + 1]];
      if (label !== "" && value !== "") pairs.push({ label, value, start, end });
    }
    return pairs;
  });
}

export interface Pair {
  readonly label: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

interface Split {
  readonly header: readonly Line[];
  readonly body: readonly Line[];
  readonly width: number;
  readonly addresses: readonly number[] | undefined;
}

export function cellsOf(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => unmark(cell.replaceAll("\\|", "|")).trim());
}

function unmark(cell: string): string {
  return cell.replace(/\*\*|__|`/g, "").replace(/\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, "$1");
}

function readLines(text: string, block: Block): readonly Line[] {
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
      if (cells > MOST_CELLS) break;
    }
    start = end + 1;
  }
  return lines;
}

/** Where the source has no addresses, rows are counted. */
function* rowAddresses({ sheetCells }: Block): Generator<number, undefined> {
  const counted: readonly (readonly [number, number])[] = [[1, MOST_CELLS]];
  for (const [first, count] of sheetCells?.rows ?? counted)
    for (let at = 0; at < count; at++) yield first + at;
  return undefined;
}

function splitHeader(lines: readonly Line[], text: string, block: Block): Split | undefined {
  const marked = lines.filter(({ start }) => start < (block.headerEnd ?? block.start + 1)).length;
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length));
  if (lines.length < 2 || width < 2 || text === "") return undefined;
  const header = trueHeader(lines, Math.max(1, marked));
  if (header > 0)
    return splitHeader(lines.slice(header), text, { ...block, headerEnd: block.start });
  let count = Math.max(1, marked);
  // Readers know one row of headers at least; a second one of labels under merged labels looks like data.
  while (count < Math.min(3, lines.length - 1) && isSubHeader(lines, count)) count++;
  return {
    header: lines.slice(0, count),
    body: lines.slice(count),
    width,
    addresses: block.sheetCells?.columns,
  };
}

/** Notes above a sheet's table are read as its header: the one further down that is full and over typed cells is meant. */
function trueHeader(lines: readonly Line[], marked: number): number {
  const filled = ({ cells }: Line) => cells.filter((cell) => cell !== "").length;
  const width = Math.max(...lines.map(filled));
  const first = lines[0];
  if (!first || marked > 1 || width < 3 || filled(first) > width / 2) return 0;
  const at = lines.slice(0, MOST_NOTES).findIndex((line, order) => {
    const below = lines.slice(order + 1, order + 4);
    const isFull = filled(line) >= width - 1 && line.cells.every(isLabel);
    return isFull && below.some((each) => each.cells.some((cell) => readValue(cell)));
  });
  // Labels above it that all have a name below them are merged ones.
  const above = lines.slice(0, Math.max(0, at));
  return above.length > 1 || above.some((line) => filled(line) < 2) ? Math.max(0, at) : 0;
}

function isSubHeader(lines: readonly Line[], at: number): boolean {
  const [above, row, below] = [lines[at - 1], lines[at], lines[at + 1]];
  if (!above || !row || !below) return false;
  const filled = row.cells.filter((cell) => cell !== "");
  const gaps = above.cells.some((cell, column) => cell === "" && row.cells[column]);
  const labels = filled.every((cell) => isLabel(cell));
  const distinct = new Set(filled).size > 1;
  const data = lines
    .slice(at + 1, at + 6)
    .some(({ cells }) => cells.some((cell) => readValue(cell)));
  const repeats = above.cells.some((cell, column) => cell !== "" && row.cells[column] === cell);
  return filled.length > 1 && labels && distinct && data && (gaps || repeats);
}

/** Years head columns as often as words do. */
function isLabel(cell: string): boolean {
  return readValue(cell) === undefined || /^(?:19|20)\d\d$/.test(cell);
}

/** Every other column is labels, the header's own cells look like the body's: a form, no table. */
function isPairs({ header, body, width }: Split): boolean {
  if (width !== 2 && width !== 4) return false;
  const lines = [...header, ...body];
  const labels = lines.map(({ cells }) => cells[0] ?? "").filter((cell) => cell !== "");
  if (new Set(labels).size < labels.length || labels.some((cell) => readValue(cell))) return false;
  const values = lines.flatMap(({ cells }) => cells.filter((_, at) => at % 2 === 1));
  if (lines.some(({ cells }) => readValue(cells[2] ?? ""))) return false;
  const first = header[0]?.cells[1] ?? "";
  const typed = (cell: string) => readValue(cell)?.kind ?? (/@|\d/.test(cell) ? "code" : "text");
  // A column has values of one kind, what is filled in has not.
  const mixed =
    new Set(
      values
        .slice(1)
        .filter((cell) => cell !== "")
        .map(typed),
    ).size > 1;
  if (width === 2) return /[:：]$/.test(labels[0] ?? "") || typed(first) !== "text" || mixed;
  const kinds = new Set(values.filter((cell) => cell !== "").map(typed));
  return (
    kinds.size > 1 && (typed(header[0]?.cells[3] ?? "") !== "text" || header[0]?.cells[0] === "")
  );
}

/** Two tables side by side under one row of group labels are two tables. */
function parts({ header, body, width }: Split): readonly (readonly number[])[] {
  const all = Array.from({ length: width }, (_, at) => at);
  const [groups, names] = [header.at(0), header.at(-1)];
  if (!groups || !names || groups === names) return [all];
  const starts = all.filter((at) => groups.cells[at]);
  const firsts = starts.map((at) => names.cells[at] ?? "");
  const worded = (at: number) => body.filter(({ cells }) => isWord(cells[at] ?? "")).length;
  const same = starts.length > 1 && firsts[0] !== "" && firsts.every((name) => name === firsts[0]);
  if (!same || starts.some((at) => worded(at) < body.length / 2)) return [all];
  return starts.map((from, at) => all.slice(from, starts[at + 1] ?? width));
}

function isWord(cell: string): boolean {
  return cell !== "" && readValue(cell) === undefined && /\p{L}{2}/u.test(cell);
}

function toGrid(
  split: Split,
  taken: readonly number[],
  { block, context }: { readonly block: Block; readonly context: string },
): Grid | undefined {
  const headers = split.header.map(({ cells }) => taken.map((at) => cells[at] ?? ""));
  const labels = taken.map((_, at) => labelsOf(headers, at));
  const rows = alignUnits(toRows(split.body, taken, headers));
  const data = rows.filter(({ cells }) => !isTotal(cells));
  if (data.length === 0 || labels.every((label) => label.length === 0)) return undefined;
  // A label over every column says what the table is about, not what a column holds.
  const shared = labels[0]?.filter((label) => labels.every((of) => of.includes(label))) ?? [];
  const columns = labels.map((all, at): Column => {
    const own = all.filter((label) => !shared.includes(label));
    const address = split.addresses ? split.addresses[taken[at] ?? 0] : taken[at];
    return {
      name: own.at(-1) ?? "",
      group: own.slice(0, -1).join(" "),
      type: typeOf(data, at),
      ...(address !== undefined && { address }),
    };
  });
  if (columns.some(({ name, type }) => type === "number" && isData(name))) return undefined;
  const named = headers.flat().filter((cell) => cell !== "");
  const over = [context, ...shared].join("\n");
  return {
    columns,
    rows: data,
    totals: rows.filter(({ cells }) => isTotal(cells)),
    place: block.place,
    isSheet: block.sheetCells !== undefined,
    context: over,
    about: toReadable([over, ...named].join("\n")),
    headers: named,
    key: keyOf(columns, data),
  };
}

/** A number over numbers is a row of data: the table has no header. */
function isData(name: string): boolean {
  return readValue(name)?.kind === "number" && !isLabel(name);
}

function labelsOf(headers: readonly (readonly string[])[], at: number): readonly string[] {
  const labels: string[] = [];
  for (const [level, row] of headers.entries()) {
    const own = row[at] ?? "";
    // A merged label is written once, over the first of its columns.
    const merged =
      level < headers.length - 1 ? row.slice(0, at).findLast((cell) => cell !== "") : "";
    const label = own || merged || "";
    if (label !== "" && !labels.includes(label)) labels.push(label);
  }
  return labels;
}

function toRows(
  body: readonly Line[],
  taken: readonly number[],
  headers: readonly (readonly string[])[],
): readonly Row[] {
  const rows: Row[] = [];
  let section = "";
  for (const { cells: all, start, end, address } of body) {
    const cells = taken.map((at) => all[at] ?? "");
    const filled = cells.filter((cell) => cell !== "");
    if (filled.length === 0 || repeatsHeader(cells, headers)) continue;
    if (filled.length === 1 && cells[0] !== "" && taken.length > 2 && !isTotal(cells)) {
      section = cells[0] ?? "";
      continue;
    }
    const values = cells.map(readValue);
    const folded = foldInPlace(`${section}\n${cells.join("\n")}`);
    const at = address === undefined ? {} : { address };
    rows.push({ cells, values, start, end, section, folded, ...at });
  }
  return rows;
}

/** A header that is printed again in the middle of a table. */
function repeatsHeader(cells: readonly string[], headers: readonly (readonly string[])[]): boolean {
  return headers.some((header) => cells.every((cell, at) => cell === "" || cell === header[at]));
}

function isTotal(cells: readonly string[]): boolean {
  const label = cells.find((cell) => cell !== "") ?? "";
  return TOTAL.test(label.replace(/[:：]\s*$/, ""));
}

function typeOf(rows: readonly Row[], at: number): Column["type"] {
  const filled = rows.filter(({ cells }) => !isBlank(cells[at] ?? ""));
  const of = (kind: CellValue["kind"]) =>
    filled.filter(({ values }) => values[at]?.kind === kind).length;
  if (filled.length === 0) return "text";
  if (of("date") >= filled.length * 0.6) return "date";
  return of("number") >= filled.length * 0.6 ? "number" : "text";
}

/** Nothing is known here; "n/a" is no text of a column of numbers. */
export function isBlank(cell: string): boolean {
  return cell === "" || /^(?:[-–—*.…?]+|n\/?a|none|null|tbd|なし|未定|不明)$/iu.test(cell);
}

/** The first column of words by which rows differ; else the first one that is filled. */
function keyOf(columns: readonly Column[], rows: readonly Row[]): number {
  const names = (at: number) => rows.map(({ cells, section }) => `${section}\n${cells[at]}`);
  const distinct = (at: number) => new Set(names(at)).size / rows.length;
  const filled = (at: number) => rows.filter(({ cells }) => cells[at]).length / rows.length;
  const isKey = (type: Column["type"], least: number) => (column: Column, at: number) =>
    at < 3 && column.type === type && distinct(at) > least && filled(at) > 0.5;
  const found = [
    columns.findIndex(isKey("text", 0.7)),
    columns.findIndex(isKey("number", 0.9)),
    columns.findIndex(isKey("date", 0.7)),
    columns.findIndex(isKey("text", 0)),
  ];
  return found.find((at) => at >= 0) ?? 0;
}
