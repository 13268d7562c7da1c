import type { SheetCells } from "../domain/document.ts";

/** A table of ten thousand rows is stored as one run, which keeps it small. */
export function toSheetCells(rows: readonly number[], columns: readonly number[]): SheetCells {
  const runs: [number, number][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last && last[0] + last[1] === row) last[1] += 1;
    else runs.push([row, 1]);
  }
  return { rows: runs, columns };
}
