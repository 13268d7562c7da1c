// A part of a sheet as people see it: letters of columns, numbers of rows, and cells; the sheet's charts
// and pictures are below, because they would cover cells.
import type { Box } from "../../box.ts";
import type { ExtractLimits } from "../../limits.ts";
import { type Canvas, type Colour, type Line, openCanvas, type Slide } from "../slides/canvas.ts";
import { drawChart } from "../slides/chart.ts";
import { UNMOVED } from "../slides/matrix.ts";
import { type Cell, drawTable } from "../slides/table.ts";
import { type Paragraph, type TextBox, textHeight } from "../slides/text.ts";
import type { SheetPart } from "../view.ts";
import { type Figure, type Figures, lettersOf, NO_FIGURES, readFigures } from "./figures.ts";

const SIZE = 10;
const PAD = 3;
const HEAD = 34;
const ROW = 15;
const MAX_WIDTH = 220;
const MIN_WIDTH = 30;
const MAX_FIGURES = 6;
const GAP = 14;
const LEAST_WIDTH = 560;
const INK: Colour = { rgb: "#1b1f24", alpha: 1 };
const GREY: Colour = { rgb: "#eef0f2", alpha: 1 };
const WHITE: Colour = { rgb: "#ffffff", alpha: 1 };
const RULE: Line = { colour: { rgb: "#c6ccd2", alpha: 1 }, width: 0.5 };
const NUMBER = /^[-+(]?[\p{Sc}\s]?[\d.,\s]+[%)\p{Sc}]?$/u;

export async function drawSheet(
  bytes: Buffer,
  {
    format,
    page,
    sheet,
  }: { readonly format: string; readonly page: number; readonly sheet: SheetPart },
  limits: ExtractLimits,
): Promise<Slide> {
  return draw(sheet, format === "xlsx" ? await readFigures(bytes, page, limits) : NO_FIGURES);
}

const TOP = { x: 1, y: 1 };

function draw(sheet: SheetPart, { figures: all, colours }: Figures): Slide {
  const { columns, rows } = sheet;
  const cells = cellsOf(sheet);
  const widths = columns.map((column) => usualWidth(rows, column));
  const across = [HEAD, ...widths];
  const down = [ROW, ...rows.map((_, at) => heightOf(cells, at + 1, across))];
  const figures = all.slice(0, MAX_FIGURES);
  const below = sum(figures.map(({ height }) => height + 2 * GAP));
  const size = {
    // Smaller ones would be shown larger than is easy to read.
    width: Math.max(LEAST_WIDTH, sum(across), ...figures.map(({ width }) => width)) + 2,
    height: sum(down) + below + 2,
  };
  const canvas = openCanvas(size);
  canvas.draw({ box: { x: 0, y: 0, ...size }, fill: WHITE });
  const table = { at: TOP, matrix: UNMOVED, widths: across, heights: down, line: RULE };
  // The heads are drawn last, so that their words come after those of the cells.
  drawTable(canvas, { ...table, cells: [...cells, ...headsOf(sheet)] });
  let y = sum(down) + GAP;
  for (const figure of figures) {
    drawFigure(canvas, figure, { y, colours });
    y += figure.height + 2 * GAP;
  }
  return canvas.finish(false);
}

function cellsOf({ columns, rows }: SheetPart): readonly Cell[] {
  return rows.flatMap(({ row, cells }, at) =>
    cells.flatMap(([column, text]) => {
      const place = columns.indexOf(column);
      if (place < 0) return [];
      const align = NUMBER.test(text) ? "r" : "l";
      // A title without an address of its own is above a table.
      const isTitle = row === undefined;
      const across = isTitle ? columns.length - place : 1;
      return {
        ...{ row: at + 1, column: place + 1, across, down: 1, fill: WHITE },
        textIn: (box: Box) => textBox(text, box, { bold: isTitle, align }),
      };
    }),
  );
}

function headsOf({ columns, rows }: SheetPart): readonly Cell[] {
  const head = (text: string, row: number, column: number): Cell => ({
    ...{ row, column, across: 1, down: 1, fill: GREY },
    textIn: (box) => textBox(text, box, { align: "ctr" }),
  });
  return [
    ...columns.map((column, at) => head(lettersOf(column), 0, at + 1)),
    ...rows.map(({ row }, at) => head(row === undefined ? "" : String(row), at + 1, 0)),
  ];
}

function drawFigure(
  canvas: Canvas,
  { chart, picture, place, width, height }: Figure,
  { y, colours }: { readonly y: number; readonly colours: Figures["colours"] },
): void {
  const caption = { x: 1, y, width, height: GAP };
  canvas.draw({ box: caption, text: textBox(`At ${place}:`, caption, {}) });
  const box = { x: 1, y: y + GAP, width, height };
  canvas.draw({ box, fill: WHITE, line: RULE, picture: picture ? { href: picture } : undefined });
  if (chart) drawChart(canvas, chart, { deck: { colours }, box, matrix: UNMOVED });
}

/** As high as its highest cell needs, up to four lines. */
function heightOf(cells: readonly Cell[], row: number, widths: readonly number[]): number {
  const heights = cells
    .filter((cell) => cell.row === row)
    .map((cell) => {
      const width = sum(widths.slice(cell.column, cell.column + cell.across));
      const text = cell.textIn({ x: 0, y: 0, width, height: ROW });
      return text === undefined ? 0 : textHeight(text) + 2 * PAD;
    });
  return Math.min(ROW * 4, Math.max(ROW, ...heights));
}

function usualWidth(rows: SheetPart["rows"], column: number): number {
  const lengths = rows.flatMap(({ row, cells }) =>
    row === undefined ? [] : cells.filter(([at]) => at === column).map(([, text]) => text.length),
  );
  return Math.min(
    MAX_WIDTH,
    Math.max(MIN_WIDTH, ...lengths.map((length) => length * SIZE * 0.62 + 2 * PAD)),
  );
}

interface Written {
  readonly bold?: boolean;
  readonly align?: Paragraph["align"];
}

function textBox(
  text: string,
  {
    x,
    y,
    width,
    height,
  }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  { bold = false, align = "l" }: Written,
): TextBox {
  const style = { size: SIZE, bold, italic: false, underlined: false, colour: INK, family: "" };
  const layout = { align, left: 0, first: 0, before: 0, after: 0, spacing: 1 };
  const runs = [{ text: text.slice(0, 400), style }];
  const area = { x: x + PAD, y: y + 1, width: Math.max(1, width - 2 * PAD), height: height - 2 };
  return {
    paragraphs: [{ runs, mark: "", size: SIZE, ...layout }],
    ...{ area, wraps: true, anchor: "t", shrunk: undefined },
  };
}

function sum(sides: readonly number[]): number {
  return sides.reduce((total, side) => total + side, 0);
}
