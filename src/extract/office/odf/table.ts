// Rows and cells of a table, with repeated ones written out if they have content.

import { type GridCell, MAX_COLUMNS, spanOf, toGrid } from "../../tables/grid.ts";
import { general } from "../chart.ts";
import { elements, type XmlElement } from "../xml.ts";
import { paragraphs } from "./odf.ts";

export interface OdfRow {
  readonly cells: readonly string[];
  readonly isHeader: boolean;
  readonly repeated: number;
}

const MAX_REPEATS = 1_000;
const MAX_ROWS = 2 ** 21;

export function tableRows(table: XmlElement): readonly OdfRow[] {
  const rows = rowsOf(table, false);
  const grid = toGrid(rows.map(({ row }) => cellsOf(row)));
  return rows.map(({ row, isHeader }, at) => {
    const line = grid[at] ?? [];
    // The last cell of a row is repeated to the end of the sheet.
    const cells = line.slice(0, line.findLastIndex((text) => text !== "") + 1);
    const repeated = countOf(row, "number-rows-repeated", MAX_ROWS);
    // Empty rows only shift the rows after them; repeated rows with text are limited.
    return {
      cells,
      isHeader,
      repeated: cells.length === 0 ? repeated : Math.min(repeated, MAX_REPEATS),
    };
  });
}

interface NestedRow {
  readonly row: XmlElement;
  readonly isHeader: boolean;
}

function rowsOf(table: XmlElement, isHeader: boolean): readonly NestedRow[] {
  return elements(table).flatMap((part) => {
    if (part.name === "table-row") return [{ row: part, isHeader }];
    if (part.name === "table-header-rows") return rowsOf(part, true);
    return part.name === "table-rows" || part.name === "table-row-group"
      ? rowsOf(part, isHeader)
      : [];
  });
}

/** Cells that others cover are left out; what covers them says how many they are. */
function cellsOf(row: XmlElement): readonly GridCell[] {
  const cells: GridCell[] = [];
  const all = elements(row);
  for (const cell of all) {
    if (cell.name !== "table-cell") continue;
    const { "number-columns-spanned": columns, "number-rows-spanned": rows } = cell.attributes;
    const made = { text: textIn(cell), columns: spanOf(columns), rows: spanOf(rows) };
    // Sheets are empty up to their last column.
    const isRest = made.text === "" && cell === all.at(-1);
    const most = isRest ? 1 : MAX_COLUMNS - cells.length;
    const times = countOf(cell, "number-columns-repeated", most);
    for (let at = 0; at < times; at += 1) cells.push(made);
  }
  return cells;
}

/** Some programs write a value without its text. */
function textIn(cell: XmlElement): string {
  const { value = "", "date-value": date, "string-value": string } = cell.attributes;
  const text = paragraphs(cell);
  if (text !== "") return text;
  const number = value === "" ? Number.NaN : Number(value);
  return string ?? date ?? (Number.isNaN(number) ? "" : general(number));
}

function countOf(element: XmlElement, name: string, most: number): number {
  const count = Math.floor(Number(element.attributes[name] ?? 1));
  return Number.isFinite(count) ? Math.min(most, Math.max(1, count)) : 1;
}
