// One HTML table as its rows and cells come; spans are filled so that each row can be read alone.
import type { Attributes } from "./style.ts";

export interface HtmlTable {
  /** Cells are blocks of the page, not data. */
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

const MOST_COLUMNS = 200;
// Long text repeated down a row span would drown the rows.
const LONGEST_REPEAT = 80;

export function openHtmlTable(presentation: boolean): HtmlTable {
  const rows: Cell[][] = [];
  let layout = presentation;
  let cell: Cell | undefined;
  let headerRows = 0;
  let inHead = false;
  let caption = "";
  let inCaption = false;

  const span = (value: string | undefined) =>
    Math.min(MOST_COLUMNS, Math.max(1, Number.parseInt(value ?? "1", 10) || 1));

  return {
    get layout() {
      return layout;
    },
    open(name, attributes) {
      if (name === "thead") inHead = true;
      else if (name === "caption") inCaption = true;
      else if (name === "tr") rows.push([]);
      else if (name === "td" || name === "th") {
        if (rows.length === 0) rows.push([]);
        cell = {
          text: "",
          head: name === "th",
          columns: span(attributes["colspan"]),
          rows: span(attributes["rowspan"]),
        };
        rows.at(-1)?.push(cell);
      }
    },
    text(text) {
      if (inCaption) caption = `${caption} ${text}`.trim();
      else if (cell !== undefined) cell.text = `${cell.text} ${text}`.trim();
    },
    close(name) {
      if (name === "caption") inCaption = false;
      else if (name === "td" || name === "th") cell = undefined;
      else if (name === "thead") {
        inHead = false;
        headerRows = rows.length;
      } else if (name === "tr" && !inHead && headerRows === rows.length - 1) {
        const last = rows.at(-1) ?? [];
        if (last.length > 1 && last.every((one) => one.head)) headerRows = rows.length;
      }
    },
    toLayout() {
      layout = true;
      const texts = rows
        .flat()
        .map((one) => one.text)
        .filter((text) => text !== "");
      rows.length = 0;
      return texts;
    },
    finish() {
      if (layout || rows.length === 0) return undefined;
      const grid = toGrid(rows);
      const titled = caption === "" ? grid : [[caption], ...grid];
      return { rows: titled, headerRows: Math.max(1, headerRows) + (caption === "" ? 0 : 1) };
    },
  };
}

function toGrid(rows: readonly (readonly Cell[])[]): readonly (readonly string[])[] {
  const below = new Map<number, { left: number; text: string }>();
  return rows.map((row) => {
    const line: string[] = [];
    const takeBelow = () => {
      for (let held = below.get(line.length); held !== undefined; held = below.get(line.length)) {
        if (held.left === 1) below.delete(line.length);
        else below.set(line.length, { ...held, left: held.left - 1 });
        line.push(held.text);
      }
    };
    for (const cell of row) {
      takeBelow();
      for (let column = 0; column < cell.columns && line.length < MOST_COLUMNS; column += 1) {
        const text = column === 0 ? cell.text : "";
        if (cell.rows > 1) {
          const repeated = text.length <= LONGEST_REPEAT ? text : "";
          below.set(line.length, { left: cell.rows - 1, text: repeated });
        }
        line.push(text);
      }
    }
    takeBelow();
    return line;
  });
}
