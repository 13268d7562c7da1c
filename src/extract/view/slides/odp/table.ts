// A table of OpenDocument, scaled into its frame.

import type { Box } from "../../../box.ts";
import { colourOf, lengthOf, type Styles } from "../../../office/odf/styles.ts";
import { elements, type XmlElement } from "../../../office/xml.ts";
import type { Canvas } from "../canvas.ts";
import { inset, type Matrix } from "../matrix.ts";
import { type Cell, drawTable } from "../table.ts";
import { anchorOf, paragraphsIn } from "./text.ts";

interface TablePlace {
  readonly canvas: Canvas;
  readonly styles: Styles;
  readonly number: number;
  readonly box: Box;
  readonly matrix: Matrix;
}

const MAX_ROWS = 2_000;
const MAX_COLUMNS = 200;
const PADDING = 4;

export function drawOdpTable(table: XmlElement, place: TablePlace): void {
  const { box, matrix, canvas, styles } = place;
  const parts = elements(table).flatMap((part) =>
    part.name === "table-header-rows" ? elements(part) : [part],
  );
  const named = (wanted: string) => parts.filter(({ name }) => name === wanted);
  const sideOf = (part: XmlElement, property: string) =>
    lengthOf(styles.look(part.name, part.attributes["table:style-name"])[property]) ?? 1;
  const rows = named("table-row").slice(0, MAX_ROWS);
  const widths = named("table-column")
    .slice(0, MAX_COLUMNS)
    .flatMap((column) => {
      const times = Math.max(1, Number(column.attributes["number-columns-repeated"]) || 1);
      const width = sideOf(column, "column-width");
      return Array.from({ length: Math.min(MAX_COLUMNS, times) }, () => width);
    });
  drawTable(canvas, {
    at: box,
    matrix,
    widths: scaledTo(box.width, widths.slice(0, MAX_COLUMNS)),
    heights: scaledTo(
      box.height,
      rows.map((row) => sideOf(row, "row-height")),
    ),
    line: { colour: { rgb: "#b8bec8", alpha: 1 }, width: 0.5 },
    cells: rows.flatMap((row, at) =>
      elements(row).flatMap((cell, column) => toCell(cell, { row: at, column }, place)),
    ),
  });
}

/** Scales to the frame's size, because the file's own widths do not always add up to it. */
function scaledTo(whole: number, sides: readonly number[]): readonly number[] {
  const total = sides.reduce((sum, side) => sum + side, 0);
  return sides.map((side) => (total > 0 ? (side * whole) / total : 0));
}

function toCell(
  cell: XmlElement,
  at: Pick<Cell, "row" | "column">,
  { styles, number }: TablePlace,
): readonly Cell[] {
  // Other cells are covered by one that spans them.
  if (cell.name !== "table-cell") return [];
  const look = styles.look("table-cell", cell.attributes["table:style-name"]);
  const paragraphs = paragraphsIn(cell, { styles, look, outline: undefined, number });
  return [
    {
      ...at,
      across: Math.max(1, Number(cell.attributes["number-columns-spanned"]) || 1),
      down: 1,
      fill: look["draw:fill"] === "none" ? undefined : colourOf(look["fill-color"]),
      textIn: (box) => ({
        paragraphs,
        area: inset(box, [PADDING, PADDING, PADDING, PADDING]),
        wraps: true,
        anchor: anchorOf(look),
        shrunk: undefined,
      }),
    },
  ];
}
