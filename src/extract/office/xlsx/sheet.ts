// A sheet's XML → its filled cells, row by row. The size the sheet declares is ignored: it may be wrong.
import { type ExtractLimits, overLimit } from "../../limits.ts";
import { scanXml, type XmlHandler } from "../xml.ts";
import type { FormatOf } from "./number-format.ts";

export interface CellReading {
  readonly limits: ExtractLimits;
  readonly strings: readonly string[];
  readonly formatOf: FormatOf;
  cellsLeft: number;
}

export interface SheetCell {
  text: string;
  readonly number: boolean;
}

export interface SheetRow {
  readonly row: number;
  readonly cells: Map<number, SheetCell>;
}

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: string | undefined;
  value: string;
  inline: string;
}

const MAX_REPEAT = 80;
const MAX_MERGES = 100_000;

/** The reader's position in the sheet. */
interface SheetReading {
  readonly rows: SheetRow[];
  readonly merges: string[];
  row: SheetRow | undefined;
  cell: OpenCell | undefined;
  into: "value" | "inline" | undefined;
  phonetic: boolean;
  nextRow: number;
  nextColumn: number;
}

export function readSheet(bytes: Buffer, reading: CellReading): readonly SheetRow[] {
  const sheet: SheetReading = {
    rows: [],
    merges: [],
    row: undefined,
    cell: undefined,
    into: undefined,
    phonetic: false,
    nextRow: 1,
    nextColumn: 0,
  };
  scanXml(bytes, reading.limits.xmlDepth, {
    open: (name, attributes) => openPart(sheet, name, attributes),
    text(text) {
      const { cell, into, phonetic } = sheet;
      if (cell !== undefined && into !== undefined && !phonetic) cell[into] += text;
    },
    close: (name) => closePart(sheet, name, reading),
  });
  fillMerged(sheet.rows, sheet.merges);
  return sheet.rows;
}

type Attributes = Parameters<NonNullable<XmlHandler["open"]>>[1];

function openPart(sheet: SheetReading, name: string, attributes: Attributes): void {
  if (name === "row") {
    sheet.row = { row: Number(attributes["r"]) || sheet.nextRow, cells: new Map() };
    sheet.nextRow = sheet.row.row + 1;
    sheet.nextColumn = 0;
  } else if (name === "c") {
    const column = columnOf(attributes["r"]) ?? sheet.nextColumn;
    sheet.nextColumn = column + 1;
    const type = attributes["t"] ?? "n";
    sheet.cell = { column, type, style: attributes["s"], value: "", inline: "" };
  } else if (name === "v") sheet.into = "value";
  else if (name === "rPh") sheet.phonetic = true;
  else if (name === "t") sheet.into = "inline";
  else if (name === "mergeCell" && sheet.merges.length < MAX_MERGES) {
    sheet.merges.push(attributes["ref"] ?? "");
  }
}

function closePart(sheet: SheetReading, name: string, reading: CellReading): void {
  const { row, cell } = sheet;
  if (name === "v" || name === "t") sheet.into = undefined;
  else if (name === "rPh") sheet.phonetic = false;
  else if (name === "c" && cell !== undefined) {
    const made = toCell(cell, reading);
    if (made !== undefined) row?.cells.set(cell.column, made);
    sheet.cell = undefined;
  } else if (name === "row" && row !== undefined) {
    if (row.cells.size > 0) sheet.rows.push(row);
    sheet.row = undefined;
  }
}

function toCell(cell: OpenCell, reading: CellReading): SheetCell | undefined {
  const shown = cellText(cell, reading);
  if (shown.trim() === "") return undefined;
  reading.cellsLeft -= 1;
  if (reading.cellsLeft < 0)
    throw overLimit(`it has more than ${reading.limits.cells} filled cells`);
  return { text: shown, number: cell.type === "n" || cell.type === "d" };
}

function cellText(
  { type, style, value, inline }: OpenCell,
  { strings, formatOf }: CellReading,
): string {
  switch (type) {
    case "s":
      return strings[Number(value)] ?? "";
    case "inlineStr":
      return inline;
    case "b":
      return value === "1" || value === "true" ? "TRUE" : "FALSE";
    case "str":
    case "e":
    case "d":
      return value;
    default: {
      const number = Number(value);
      return value === "" || Number.isNaN(number) ? value : formatOf(style)(number);
    }
  }
}

/** Converts "BC12" to 54, counted from zero. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** A label merged over several rows belongs to each of them. */
function fillMerged(rows: readonly SheetRow[], merges: readonly string[]): void {
  if (merges.length === 0) return;
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  for (const merge of merges) {
    const found = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(merge);
    const column = columnOf(found?.[1]);
    const top = Number(found?.[2]);
    const bottom = Number(found?.[4]);
    const label = column === undefined ? undefined : byNumber.get(top)?.cells.get(column);
    if (column === undefined || label === undefined || label.text.length > MAX_REPEAT) continue;
    for (let row = top + 1; row <= Math.min(bottom, top + 1_000); row += 1) {
      const below = byNumber.get(row)?.cells;
      if (below !== undefined && !below.has(column)) below.set(column, label);
    }
  }
}
