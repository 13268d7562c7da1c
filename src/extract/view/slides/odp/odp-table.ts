// A table on a slide: columns and rows in the file's sizes, scaled into its frame.
import { elements, type XmlElement } from "../../../office/xml.ts";
import { type Box, type Canvas, colourValues } from "../drawing/canvas.ts";
import { boxAt, startsOf } from "../drawing/grid.ts";
import { drawParagraphs } from "../text/draw-paragraphs.ts";
import type { OdpDeck } from "./odp-deck.ts";
import { anchorOf, colourOf, lengthOf } from "./odp-styles.ts";
import { paragraphsIn } from "./odp-text.ts";

interface TablePlace {
  readonly canvas: Canvas;
  readonly deck: OdpDeck;
  readonly box: Box;
  readonly toSlide: (box: Box) => Box;
}

const MAX_CELLS = 2_000;
const MAX_COLUMNS = 200;
const GRID = { rgb: "#b8bec8", alpha: 1 };
const PADDING = 4;

export function drawTable(table: XmlElement, place: TablePlace): void {
  const { box } = place;
  const rows = rowsOf(table);
  const xs = startsOf(scaled(widthsOf(table, place), box.width), box.x);
  const heights = rows.map((row) => sideOf(row, "table-row", "row-height", place));
  const ys = startsOf(scaled(heights, box.height), box.y);
  const cells = rows.flatMap((row, at) =>
    elements(row).map((cell, column) => ({ cell, row: at, column })),
  );
  for (const { cell, row, column } of cells.slice(0, MAX_CELLS)) {
    // Other cells are covered by one that spans them.
    if (cell.name !== "table-cell") continue;
    const across = Math.max(1, Number(cell.attributes["number-columns-spanned"]) || 1);
    drawCell(cell, { ...place, box: boxAt({ row, column, across, down: 1 }, xs, ys) });
  }
}

function rowsOf(table: XmlElement): readonly XmlElement[] {
  const parts = elements(table).flatMap((part) =>
    part.name === "table-header-rows" ? elements(part) : [part],
  );
  return parts.filter(({ name }) => name === "table-row").slice(0, MAX_CELLS);
}

function widthsOf(table: XmlElement, place: TablePlace): readonly number[] {
  const columns = elements(table).filter(({ name }) => name === "table-column");
  const widths = columns.slice(0, MAX_COLUMNS).flatMap((column) => {
    const times = Math.max(1, Number(column.attributes["number-columns-repeated"]) || 1);
    const width = sideOf(column, "table-column", "column-width", place);
    return Array.from({ length: Math.min(MAX_COLUMNS, times) }, () => width);
  });
  return widths.slice(0, MAX_COLUMNS);
}

function drawCell(cell: XmlElement, { canvas, deck, box, toSlide }: TablePlace): void {
  const { styles, number } = deck;
  const look = styles.look("table-cell", cell.attributes["table:style-name"]);
  const own = look.graphic["draw:fill"] === "none" ? undefined : look.graphic["fill-color"];
  const fill = colourOf(own);
  canvas.put("rect", {
    ...box,
    ...(fill ? colourValues("fill", fill) : { fill: "none" }),
    ...colourValues("stroke", GRID),
    "stroke-width": 0.5,
  });
  drawParagraphs(canvas, {
    paragraphs: paragraphsIn(cell, { styles, look, number }),
    area: {
      x: box.x + PADDING,
      y: box.y + PADDING,
      width: Math.max(1, box.width - 2 * PADDING),
      height: box.height - 2 * PADDING,
    },
    wraps: true,
    anchor: anchorOf(look),
    shrunk: undefined,
    toSlide,
  });
}

function sideOf(part: XmlElement, family: string, property: string, { deck }: TablePlace): number {
  return lengthOf(deck.styles.side(family, part.attributes["table:style-name"], property)) ?? 1;
}

/** Scales to the frame's size, because the file's own widths do not always add up to it. */
function scaled(sides: readonly number[], whole: number): readonly number[] {
  const total = sides.reduce((sum, side) => sum + side, 0);
  return sides.map((side) => (total > 0 ? (side * whole) / total : 0));
}
