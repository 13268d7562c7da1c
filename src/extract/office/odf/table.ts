// Rows and cells of a table, with repeated ones written out if they have content.
import { elements, type XmlElement } from "../xml.ts";
import { paragraphs } from "./odf.ts";

export interface OdfRow {
  readonly cells: readonly string[];
  /** The columns whose value is a number. */
  readonly numbers: ReadonlySet<number>;
  readonly isHeader: boolean;
  readonly repeated: number;
}

const MAX_COLUMNS = 1_000;
const MAX_REPEATS = 1_000;

export function tableRows(table: XmlElement, isHeader = false): readonly OdfRow[] {
  return elements(table).flatMap((part) => {
    if (part.name === "table-row") return [toRow(part, isHeader)];
    if (part.name === "table-header-rows") return tableRows(part, true);
    return part.name === "table-rows" || part.name === "table-row-group"
      ? tableRows(part, isHeader)
      : [];
  });
}

function toRow(row: XmlElement, isHeader: boolean): OdfRow {
  const cells: string[] = [];
  const numbers = new Set<number>();
  for (const cell of elements(row)) {
    if (cell.name !== "table-cell" && cell.name !== "covered-table-cell") continue;
    const text = paragraphs(cell);
    const isNumber = /^(?:float|percentage|currency|date|time)$/.test(
      cell.attributes["value-type"] ?? "",
    );
    const times = countOf(cell, "number-columns-repeated", MAX_COLUMNS);
    for (let at = 0; at < times && cells.length < MAX_COLUMNS; at += 1) {
      if (isNumber) numbers.add(cells.length);
      cells.push(text);
    }
  }
  // The last cell of a row is repeated to the end of the sheet.
  const length = cells.findLastIndex((text) => text !== "") + 1;
  const repeated = countOf(row, "number-rows-repeated", 2 ** 21);
  return { cells: cells.slice(0, length), numbers, isHeader, repeated: filled(length, repeated) };
}

/** Empty rows only shift the rows after them; repeated rows with text are limited. */
function filled(length: number, repeated: number): number {
  return length === 0 ? repeated : Math.min(repeated, MAX_REPEATS);
}

function countOf(element: XmlElement, name: string, most: number): number {
  const count = Math.floor(Number(element.attributes[name] ?? 1));
  return Number.isFinite(count) ? Math.min(most, Math.max(1, count)) : 1;
}
