// One HTML table, cell by cell. Spanning cells are repeated, so each row is complete when read alone.
import type { Attributes } from "./style.ts";

export interface HtmlTable {
  /** The table only lays out the page: its cells are blocks, not data. */
  readonly layout: boolean;
  open(name: string, attributes: Attributes): void;
  text(text: string): void;
  close(name: string): void;
  toLayout(): readonly string[];
  finish(): { rows: readonly (readonly string[])[]; headerRows: number } | undefined;
}

interface Cell {
  text: string;
  readonly head: boolean;
  readonly columns: number;
  readonly rows: number;
}

const MAX_COLUMNS = 200;
// Longer text is not repeated down a row span, because it would drown the rows.
const MAX_REPEAT = 80;

interface TableState {
  readonly rows: Cell[][];
  layout: boolean;
  cell: Cell | undefined;
  headerRows: number;
  inHead: boolean;
  caption: string;
  inCaption: boolean;
}

export function openHtmlTable(presentation: boolean): HtmlTable {
  const state: TableState = {
    rows: [],
    layout: presentation,
    cell: undefined,
    headerRows: 0,
    inHead: false,
    caption: "",
    inCaption: false,
  };
  return {
    get layout() {
      return state.layout;
    },
    open: (name, attributes) => openPart(state, name, attributes),
    text: (text) => addText(state, text),
    close: (name) => closePart(state, name),
    toLayout: () => toLayout(state),
    finish: () => finish(state),
  };
}

function openPart(state: TableState, name: string, attributes: Attributes): void {
  const { rows } = state;
  if (name === "thead") state.inHead = true;
  else if (name === "caption") state.inCaption = true;
  else if (name === "tr") rows.push([]);
  else if (name === "td" || name === "th") {
    if (rows.length === 0) rows.push([]);
    const columns = spanOf(attributes["colspan"]);
    state.cell = { text: "", head: name === "th", columns, rows: spanOf(attributes["rowspan"]) };
    rows.at(-1)?.push(state.cell);
  }
}

function addText(state: TableState, text: string): void {
  const { cell } = state;
  if (state.inCaption) state.caption = `${state.caption} ${text}`.trim();
  else if (cell !== undefined) cell.text = `${cell.text} ${text}`.trim();
}

function closePart(state: TableState, name: string): void {
  const { rows } = state;
  if (name === "caption") state.inCaption = false;
  else if (name === "td" || name === "th") state.cell = undefined;
  else if (name === "thead") {
    state.inHead = false;
    state.headerRows = rows.length;
  } else if (name === "tr" && !state.inHead && state.headerRows === rows.length - 1) {
    const last = rows.at(-1) ?? [];
    if (last.length > 1 && last.every((one) => one.head)) state.headerRows = rows.length;
  }
}

function toLayout(state: TableState): readonly string[] {
  state.layout = true;
  const texts = state.rows.flat().map((one) => one.text);
  state.rows.length = 0;
  return texts.filter((text) => text !== "");
}

function finish({ rows, layout, caption, headerRows }: TableState) {
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
