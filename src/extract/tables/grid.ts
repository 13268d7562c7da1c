// Cells that span rows and columns → rows of texts. A label over rows is repeated in each, so that a row is complete
// when it is read alone; one over columns is above the first of them.
import type { SheetCells } from "../../domain/document.ts";

export interface GridCell {
  readonly text: string;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  /** The cell goes on from the one above, as some formats write each row of a merged cell. */
  readonly continues?: boolean;
}

export const MAX_COLUMNS = 1_000;
// Longer text is not repeated, because it would drown the rows.
const MAX_REPEAT = 80;

/** Texts of cells that span rows, by column, to be repeated in the rows below. */
type Below = Map<number, { readonly left: number; readonly text: string }>;

export function toGrid(rows: readonly (readonly GridCell[])[]): readonly (readonly string[])[] {
  const below: Below = new Map();
  let last: readonly string[] = [];
  return rows.map((row) => {
    const line: string[] = [];
    for (const cell of row) {
      takeBelow(line, below);
      const above = cell.continues && cell.text === "" ? last[line.length] : undefined;
      addCell(line, above === undefined ? cell : { ...cell, text: repeated(above) }, below);
    }
    takeBelow(line, below);
    last = line;
    // Labels that are only repeated do not make a row.
    return row.some(({ text }) => text !== "") ? line : [];
  });
}

function repeated(text: string): string {
  return text.length <= MAX_REPEAT ? text : "";
}

function takeBelow(line: string[], below: Below): void {
  for (let held = below.get(line.length); held !== undefined; held = below.get(line.length)) {
    if (held.left === 1) below.delete(line.length);
    else below.set(line.length, { ...held, left: held.left - 1 });
    line.push(held.text);
  }
}

function addCell(line: string[], { text, columns = 1, rows = 1 }: GridCell, below: Below): void {
  for (let column = 0; column < columns && line.length < MAX_COLUMNS; column += 1) {
    const shown = column === 0 ? text : "";
    if (rows > 1) below.set(line.length, { left: rows - 1, text: repeated(shown) });
    line.push(shown);
  }
}

/** A span as a file states it: at least one. */
export function spanOf(value: string | undefined): number {
  return Math.min(MAX_COLUMNS, Math.max(1, Number.parseInt(value ?? "1", 10) || 1));
}

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
