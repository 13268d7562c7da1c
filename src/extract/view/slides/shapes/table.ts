// A table on a slide: columns and rows in their given sizes, its style approximated.
import { child, elements, type XmlElement } from "../../../office/xml.ts";
import { type Deck, POINT } from "../deck.ts";
import { type Box, type Canvas, strokeValues } from "../drawing/canvas.ts";
import type { Colour } from "../drawing/colour.ts";
import { type Fill, fillIn, NONE } from "../drawing/fill.ts";
import { boxAt, type GridPlace, startsOf } from "../drawing/grid.ts";
import { stylesOf } from "../text/styles.ts";
import { drawText, type TextPlace, textHeight } from "../text/text.ts";

const MAX_CELLS = 2_000;
const WHITE: Colour = { rgb: "#ffffff", alpha: 1 };
const GREY: Colour = { rgb: "#bfc5cc", alpha: 1 };

interface Cell extends GridPlace {
  readonly element: XmlElement;
}

interface TableLook {
  readonly header: boolean;
  readonly banded: boolean;
  readonly styled: boolean;
}

export function drawTable(canvas: Canvas, table: XmlElement, deck: Deck, frame: Box): void {
  const properties = child(table, "tblPr");
  const isOn = (name: string) => properties?.attributes[name] === "1";
  const styled = child(properties, "tableStyleId") !== undefined;
  const look = { header: isOn("firstRow"), banded: isOn("bandRow"), styled };
  const cells = cellsOf(table);
  const grid = child(table, "tblGrid");
  const widths = sizesOf(grid === undefined ? [] : elements(grid), "w");
  const xs = startsOf(widths, frame.x);
  const said = sizesOf(rowsOf(table), "h");
  const heights = said.map((height, row) => {
    const own = cells.filter((cell) => cell.row === row && cell.down === 1);
    const needed = own.map((cell) => neededHeight(cell, { xs, height }, look, deck));
    return Math.max(height, ...needed);
  });
  const ys = startsOf(heights, frame.y);
  for (const cell of cells) drawCell(canvas, cell, { look, deck, box: boxAt(cell, xs, ys) });
}

function rowsOf(table: XmlElement): readonly XmlElement[] {
  return elements(table).filter(({ name }) => name === "tr");
}

function sizesOf(sides: readonly XmlElement[], name: string): readonly number[] {
  return sides.map(({ attributes }) => Math.max(0, Number(attributes[name]) / POINT || 0));
}

function cellsOf(table: XmlElement): readonly Cell[] {
  const span = (value: string | undefined) => Math.max(1, Number(value ?? 1) || 1);
  const cells = rowsOf(table).flatMap((each, row) =>
    elements(each)
      .filter(({ name }) => name === "tc")
      .map((element, column) => ({ element, row, column })),
  );
  return cells.slice(0, MAX_CELLS).flatMap(({ element, row, column }) => {
    const { gridSpan, rowSpan, hMerge, vMerge } = element.attributes;
    if (hMerge === "1" || vMerge === "1") return [];
    return [{ element, row, column, across: span(gridSpan), down: span(rowSpan) }];
  });
}

function neededHeight(
  cell: Cell,
  { xs, height }: { readonly xs: readonly number[]; readonly height: number },
  look: TableLook,
  deck: Deck,
): number {
  const { width } = boxAt(cell, xs, [0]);
  const text = textOf(cell, { look, deck, box: { x: 0, y: 0, width, height } });
  return text === undefined ? 0 : textHeight(text);
}

interface CellPlace {
  readonly look: TableLook;
  readonly deck: Deck;
  readonly box: Box;
}

function isHeader({ row }: Cell, { header, styled }: TableLook): boolean {
  return header && styled && row === 0;
}

function drawCell(canvas: Canvas, cell: Cell, place: CellPlace): void {
  const { look, deck, box } = place;
  const own = fillIn(child(cell.element, "tcPr"), deck.colours);
  const fill = own ?? usualFill(cell, look, deck);
  const border = { colour: look.styled ? WHITE : GREY, width: 1, dash: "solid", arrows: NO_ARROWS };
  canvas.put("rect", { ...box, ...canvas.filled(fill), ...strokeValues(border) });
  const text = textOf(cell, place);
  if (text) drawText(canvas, text);
}

function textOf(cell: Cell, { look, deck, box }: CellPlace): TextPlace | undefined {
  const { element } = cell;
  const body = child(element, "txBody");
  if (body === undefined) return undefined;
  const properties = child(element, "tcPr");
  const { marL, marT, marR, marB, anchor } = properties?.attributes ?? {};
  const margins = { lIns: marL, tIns: marT, rIns: marR, bIns: marB, anchor };
  const given = Object.entries(margins).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const bold = isHeader(cell, look);
  const isPlain = fillIn(properties, deck.colours) === undefined;
  return {
    body,
    properties: [{ name: "bodyPr", attributes: Object.fromEntries(given), children: [] }],
    styles: stylesOf({ name: "sp", attributes: {}, children: [body] }, deck, {
      size: 18,
      bold,
      ...(bold && isPlain && { colour: WHITE }),
    }),
    box,
    number: deck.number,
    toSlide: (each) => each,
  };
}

const NO_ARROWS = { start: false, end: false };

function usualFill(cell: Cell, look: TableLook, { colours }: Deck): Fill {
  const { banded, header, styled } = look;
  const accent = styled ? colours.named("accent1") : undefined;
  if (accent === undefined) return NONE;
  if (isHeader(cell, look)) return { kind: "plain", colour: accent };
  const isDark = banded && (cell.row - (header ? 1 : 0)) % 2 === 0;
  return { kind: "plain", colour: { ...accent, alpha: isDark ? 0.3 : 0.12 } };
}
