// Places in a table: where its columns and rows begin, and the boxes between them.
import type { Box } from "./canvas.ts";

export interface GridPlace {
  readonly row: number;
  readonly column: number;
  /** The number of columns and rows that the cell spans. */
  readonly across: number;
  readonly down: number;
}

/** Where each column or row begins, and where the last one ends. */
export function startsOf(sides: readonly number[], from: number): readonly number[] {
  let at = from;
  return [from, ...sides.map((side) => (at += side))];
}

export function boxAt(place: GridPlace, xs: readonly number[], ys: readonly number[]): Box {
  const at = (all: readonly number[], index: number) => all[Math.min(all.length - 1, index)] ?? 0;
  const [x, y] = [at(xs, place.column), at(ys, place.row)];
  const width = at(xs, place.column + place.across) - x;
  return { x, y, width, height: at(ys, place.row + place.down) - y };
}
