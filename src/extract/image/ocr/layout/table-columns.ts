// Columns of a table under construction: horizontal ranges of the page that grow with every line.
import type { Line } from "./table-lines.ts";

export interface Column {
  left: number;
  right: number;
}

export function columnsOf({ left, right }: Column, columns: readonly Column[]): readonly Column[] {
  return columns.filter((column) => column.left < right && column.right > left);
}

/**
 * Extends the columns by a line's cells and adds new ones. Returns false, without a change, if a
 * cell spans two columns.
 */
export function widen({ cells }: Line, columns: Column[]): boolean {
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
