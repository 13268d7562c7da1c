// A sheet's rows → titles and tables. A sheet often has several tables, separated by empty rows.
import { toSheetCells } from "../../tables/grid.ts";
import type { Writer } from "../../writer.ts";
import type { SheetRow } from "./sheet.ts";

export function writeRegions(out: Writer, rows: readonly SheetRow[]): void {
  let table: SheetRow[] = [];
  let before = 0;
  const end = () => {
    writeTable(out, table);
    table = [];
  };
  for (const [at, row] of rows.entries()) {
    const gap = row.row > before + 1;
    if (table.length > 0 && gap && startsTable(row, rows[at + 1])) end();
    if (table.length === 0 && isTitle(row, rows[at + 1])) out.paragraph(onlyText(row));
    else table.push(row);
    before = row.row;
  }
  end();
}

/**
 * A table starts after an empty row with a single title, or with labels above rows that contain
 * numbers or have as many cells.
 */
function startsTable(row: SheetRow, next: SheetRow | undefined): boolean {
  const cells = [...row.cells.values()];
  if (cells.some((cell) => cell.number)) return false;
  if (cells.length === 1) return true;
  return next !== undefined && next.row === row.row + 1 && next.cells.size >= 2;
}

function isTitle(row: SheetRow, next: SheetRow | undefined): boolean {
  if (row.cells.size !== 1) return false;
  // A column of single cells is a list, which reads just as well as lines.
  return next === undefined || next.cells.size !== 1 || !onlyCell(row).number;
}

function onlyCell(row: SheetRow) {
  return [...row.cells.values()][0] ?? { text: "", number: false };
}

function onlyText(row: SheetRow): string {
  return onlyCell(row).text;
}

function writeTable(out: Writer, rows: readonly SheetRow[]): void {
  if (rows.length === 0) return;
  const used = new Set<number>();
  for (const row of rows) for (const column of row.cells.keys()) used.add(column);
  const columns = [...used].sort((a, b) => a - b);
  const numbers = rows.map(({ row }) => row);
  const sheetCells = toSheetCells(numbers, columns);
  const lines = rows.map((row) => columns.map((column) => row.cells.get(column)?.text ?? ""));
  if (columns.length === 1) out.paragraph(lines.map((line) => line[0] ?? "").join("\n"));
  else out.table(lines, undefined, sheetCells);
}

/** Everything in a sheet that nobody sees. */
export function rowsText(rows: readonly SheetRow[]): string {
  return rows
    .map(({ cells }) => [...cells.values()].map(({ text }) => text).join(" | "))
    .join("\n");
}
