// One HTML table, cell by cell.
import { type GridCell, spanOf, toGrid } from "../tables/grid.ts";
import type { Attributes } from "./style-sheets.ts";

interface Cell extends GridCell {
  text: string;
  readonly head: boolean;
}

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

/** A form names each value at its left; labels without a colon get one. */
export function finishTable({ rows, layout, caption, headerRows }: HtmlTable) {
  if (layout || rows.length === 0) return undefined;
  const isForm = rows.every(
    ([label, value]) => value === undefined || (label?.head && !value.head),
  );
  const named = isForm ? rows.map((row) => (row.length === 2 ? toField(row) : row)) : rows;
  const marked = headerRows === 0 ? {} : { headerRows };
  return { caption, rows: toGrid(named), ...marked };
}

function toField([label, ...values]: readonly Cell[]): readonly GridCell[] {
  const text = label?.text ?? "";
  return [{ ...label, text: /^$|[:：]$/.test(text) ? text : `${text}:` }, ...values];
}
