// Formats a cell as an answer: "Population: 13298000 (City: Tokyo; Latitude: 35.67°)", and its address.
import type { TableCells } from "../citations.ts";
import type { Grid } from "./grid.ts";
import type { FoundCell } from "./name-cell.ts";

const MAX_CELLS = 8;

export function wordCell({ names }: Grid, { row, column, value }: FoundCell): string {
  const pair = (cell: string, at: number) => (names[at] ? `${names[at]}: ${cell}` : cell);
  const rest = row.cells.flatMap((cell, at) =>
    at === column || cell === "" ? [] : [pair(cell, at)],
  );
  const asked = pair(value, column);
  return rest.length === 0 ? asked : `${asked} (${rest.slice(0, MAX_CELLS).join("; ")})`;
}

/** "D4" in a sheet, "R4C4" in any other table; rows are counted including the header. */
export function describeCells(
  { names, block: { sheetCells } }: Grid,
  { row: { address }, column }: FoundCell,
  number: number,
): TableCells {
  const at = sheetCells ? sheetCells.columns[column] : column;
  const isKnown = address !== undefined && at !== undefined;
  const cell = isKnown && (sheetCells ? `${letters(at)}${address}` : `R${address}C${at + 1}`);
  return { header: names, ...(!sheetCells && { number }), ...(cell && { cells: [cell] }) };
}

function letters(column: number): string {
  let name = "";
  for (let left = column; left >= 0; left = Math.floor(left / 26) - 1)
    name = String.fromCharCode(65 + (left % 26)) + name;
  return name;
}
