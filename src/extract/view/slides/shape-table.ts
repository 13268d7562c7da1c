// A table of PowerPoint, its style approximated by the theme's first accent.

import type { Box } from "../../box.ts";
import { child, elements, type XmlElement } from "../../office/xml.ts";
import type { Canvas, Colour } from "./canvas.ts";
import type { Deck } from "./deck.ts";
import type { Matrix } from "./matrix.ts";
import { fillIn, POINT } from "./paint.ts";
import { textIn } from "./shape-text.ts";
import { type Cell, drawTable } from "./table.ts";

const WHITE: Colour = { rgb: "#ffffff", alpha: 1 };
const GREY: Colour = { rgb: "#bfc5cc", alpha: 1 };

export function drawShapeTable(
  canvas: Canvas,
  table: XmlElement,
  { deck, box, matrix }: { readonly deck: Deck; readonly box: Box; readonly matrix: Matrix },
): void {
  const properties = child(table, "tblPr");
  const hasStyle = child(properties, "tableStyleId") !== undefined;
  const rows = elements(table).filter(({ name }) => name === "tr");
  drawTable(canvas, {
    at: box,
    matrix,
    widths: sizesOf(elements(child(table, "tblGrid")), "w"),
    heights: sizesOf(rows, "h"),
    line: { colour: hasStyle ? WHITE : GREY, width: 1 },
    cells: rows.flatMap((row, at) =>
      elements(row)
        .filter(({ name }) => name === "tc")
        .flatMap((cell, column) => toCell(cell, { row: at, column }, { properties, deck })),
    ),
  });
}

function sizesOf(sides: readonly XmlElement[], name: string): readonly number[] {
  return sides.map(({ attributes }) => Math.max(0, Number(attributes[name]) / POINT || 0));
}

function toCell(
  cell: XmlElement,
  place: Pick<Cell, "row" | "column">,
  { properties, deck }: { readonly properties: XmlElement | undefined; readonly deck: Deck },
): readonly Cell[] {
  const { gridSpan, rowSpan, hMerge, vMerge } = cell.attributes;
  if (hMerge === "1" || vMerge === "1") return [];
  const { firstRow, bandRow } = properties?.attributes ?? {};
  const hasStyle = child(properties, "tableStyleId") !== undefined;
  const accent = hasStyle ? deck.colours.named("accent1") : undefined;
  const isHeader = firstRow === "1" && place.row === 0;
  const isDark = bandRow === "1" && (place.row - (firstRow === "1" ? 1 : 0)) % 2 === 0;
  const own = fillIn(child(cell, "tcPr"), deck.colours);
  const body = isDark ? 0.3 : 0.12;
  const usual = accent && { ...accent, alpha: isHeader ? 0.6 : body };
  return [
    {
      ...place,
      across: Math.max(1, Number(gridSpan) || 1),
      down: Math.max(1, Number(rowSpan) || 1),
      fill: own === undefined ? usual : own.colour,
      textIn: (box) => textIn(cell, deck, box),
    },
  ];
}
