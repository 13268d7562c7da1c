// A table on a slide: columns and rows in the file's sizes, rows as high as their text needs.

import type { Box } from "../../box.ts";
import type { Canvas, Colour, Line } from "./canvas.ts";
import type { Matrix } from "./matrix.ts";
import { type TextBox, textHeight } from "./text.ts";

export interface Cell {
  readonly row: number;
  readonly column: number;
  /** The number of columns and rows that the cell spans. */
  readonly across: number;
  readonly down: number;
  readonly fill: Colour | undefined;
  readonly textIn: (box: Box) => TextBox | undefined;
}

export interface Table {
  readonly at: Pick<Box, "x" | "y">;
  readonly matrix: Matrix;
  readonly widths: readonly number[];
  readonly heights: readonly number[];
  readonly cells: readonly Cell[];
  readonly line: Line;
}

const MAX_CELLS = 2_000;

export function drawTable(canvas: Canvas, { at, matrix, line, ...table }: Table): void {
  const cells = table.cells.slice(0, MAX_CELLS);
  const xs = startsOf(table.widths, at.x);
  const needed = [...table.heights];
  for (const cell of cells) {
    const height = table.heights[cell.row] ?? 0;
    if (cell.down === 1)
      needed[cell.row] = Math.max(needed[cell.row] ?? 0, neededHeight(cell, xs, height));
  }
  const ys = startsOf(needed, at.y);
  for (const cell of cells) {
    const box = boxAt(cell, xs, ys);
    canvas.draw({ box, matrix, line, fill: cell.fill, text: cell.textIn(box) });
  }
}

function neededHeight(cell: Cell, xs: readonly number[], height: number): number {
  const text = cell.textIn({ ...boxAt(cell, xs, []), height });
  return text === undefined ? 0 : textHeight(text) + height - text.area.height;
}

/** Where each column or row begins, and where the last one ends. */
function startsOf(sides: readonly number[], from: number): readonly number[] {
  let at = from;
  return [from, ...sides.map((side) => (at += side))];
}

function boxAt(cell: Cell, xs: readonly number[], ys: readonly number[]): Box {
  const at = (all: readonly number[], index: number) => all[Math.min(all.length - 1, index)] ?? 0;
  const [x, y] = [at(xs, cell.column), at(ys, cell.row)];
  const width = at(xs, cell.column + cell.across) - x;
  return { x, y, width, height: at(ys, cell.row + cell.down) - y };
}
