// One HTML table, cell by cell. Spanning cells are repeated, so each row is complete when read alone.
import type { Attributes } from "./style.ts";

interface Cell {
  text: string;
  readonly head: boolean;
  readonly columns: number;
  readonly rows: number;
}

const MAX_COLUMNS = 200;
// Longer text is not repeated down a row span, because it would drown the rows.
const MAX_REPEAT = 80;

export interface HtmlTable {
  readonly rows: Cell[][];
  /** The table only lays out the page: its cells are blocks, not data. */
  layout: boolean;
  cell: Cell | undefined;
  headerRows: number;
  inHead: boolean;
  caption: string;
  inCaption: boolean;
}

export function openHtmlTable(layout: boolean): HtmlTable {
  const places = { headerRows: 0, inHead: false, caption: "", inCaption: false };
  return { rows: [], layout, cell: undefined, ...places };
}

export function openTablePart(table: HtmlTable, name: string, attributes: Attributes): void {
  const { rows } = table;
  if (name === "thead") table.inHead = true;
  else if (name === "caption") table.inCaption = true;
  else if (name === "tr") rows.push([]);
  else if (name === "td" || name === "th") {
    if (rows.length === 0) rows.push([]);
    const columns = spanOf(attributes["colspan"]);
    table.cell = { text: "", head: name === "th", columns, rows: spanOf(attributes["rowspan"]) };
    rows.at(-1)?.push(table.cell);
  }
}

export function addToTable(table: HtmlTable, text: string): void {
  const { cell } = table;
  if (table.inCaption) table.caption = `${table.caption} ${text}`.trim();
  else if (cell !== undefined) cell.text = `${cell.text} ${text}`.trim();
}

export function closeTablePart(table: HtmlTable, name: string): void {
  const { rows } = table;
  if (name === "caption") table.inCaption = false;
  else if (name === "td" || name === "th") table.cell = undefined;
  else if (name === "thead") {
    table.inHead = false;
    table.headerRows = rows.length;
  } else if (name === "tr" && !table.inHead && table.headerRows === rows.length - 1) {
    const last = rows.at(-1) ?? [];
    if (last.length > 1 && last.every((one) => one.head)) table.headerRows = rows.length;
  }
}

export function toLayout(table: HtmlTable): readonly string[] {
  table.layout = true;
  const texts = table.rows.flat().map((one) => one.text);
  table.rows.length = 0;
  return texts.filter((text) => text !== "");
}

export function finishTable({ rows, layout, caption, headerRows }: HtmlTable) {
  if (layout || rows.length === 0) return undefined;
  const grid = toGrid(rows);
  const titled = caption === "" ? grid : [[caption], ...grid];
  return { rows: titled, headerRows: Math.max(1, headerRows) + (caption === "" ? 0 : 1) };
}

function spanOf(value: string | undefined): number {
  return Math.min(MAX_COLUMNS, Math.max(1, Number.parseInt(value ?? "1", 10) || 1));
}

/** Texts of cells that span rows, by column, to be repeated in the rows below. */
type Below = Map<number, { readonly left: number; readonly text: string }>;

function toGrid(rows: readonly (readonly Cell[])[]): readonly (readonly string[])[] {
  const below: Below = new Map();
  return rows.map((row) => {
    const line: string[] = [];
    for (const cell of row) {
      takeBelow(line, below);
      addCell(line, cell, below);
    }
    takeBelow(line, below);
    return line;
  });
}

function takeBelow(line: string[], below: Below): void {
  for (let held = below.get(line.length); held !== undefined; held = below.get(line.length)) {
    if (held.left === 1) below.delete(line.length);
    else below.set(line.length, { ...held, left: held.left - 1 });
    line.push(held.text);
  }
}

function addCell(line: string[], cell: Cell, below: Below): void {
  for (let column = 0; column < cell.columns && line.length < MAX_COLUMNS; column += 1) {
    const text = column === 0 ? cell.text : "";
    if (cell.rows > 1) {
      const repeated = text.length <= MAX_REPEAT ? text : "";
      below.set(line.length, { left: cell.rows - 1, text: repeated });
    }
    line.push(text);
  }
}
