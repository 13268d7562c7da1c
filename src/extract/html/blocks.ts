// Elements and text of a page, as they come → headings, paragraphs, lists, tables and code.

import type { ListItem } from "../writer.ts";
import { openHtmlLists } from "./list.ts";
import type { Attributes } from "./style.ts";
import { type HtmlTable, openHtmlTable } from "./table.ts";

interface Region {
  readonly main: boolean;
  readonly furniture: boolean;
}

export type HtmlPiece = Region & { readonly size: number } & (
    | { readonly kind: "heading"; readonly level: number; readonly text: string }
    | { readonly kind: "paragraph"; readonly text: string }
    | { readonly kind: "code"; readonly text: string }
    | { readonly kind: "figure"; readonly text: string }
    | { readonly kind: "list"; readonly items: readonly ListItem[] }
    | {
        readonly kind: "table";
        readonly rows: readonly (readonly string[])[];
        readonly headerRows: number;
      }
  );

export interface HtmlBlocks {
  open(name: string, attributes: Attributes, region: Region): void;
  text(text: string): void;
  close(name: string, region: Region): void;
  finish(): readonly HtmlPiece[];
}

const BLOCK = new Set(
  "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup legend li main menu ol p section summary text ul h1 h2 h3 h4 h5 h6 pre table caption thead tbody tfoot tr td th hr option label".split(
    " ",
  ),
);
const HEADING = /^h([1-6])$/;

/** A number is a heading's level. */
type PieceKind = "paragraph" | "code" | "figure" | number;

export function openHtmlBlocks(): HtmlBlocks {
  const pieces: HtmlPiece[] = [];
  const tables: HtmlTable[] = [];
  let region: Region = { main: false, furniture: false };
  let listRegion = region;
  const gathered = openGathered();
  let pre = 0;

  const push = (piece: HtmlPiece) => pieces.push(piece);
  const lists = openHtmlLists((items) => {
    const size = items.reduce((sum, item) => sum + item.text.length, 0);
    push({ kind: "list", items, size, ...listRegion });
  });
  /** What was gathered becomes a piece, a list item or part of a table's cell. */
  const flush = (kind: PieceKind = "paragraph") => {
    const all = gathered.take();
    const text = pre > 0 || kind === "code" ? all.replace(/^\n/, "").trimEnd() : all.trim();
    if (text === "") return;
    const table = tables.at(-1);
    if (table !== undefined && !table.layout) return table.text(text);
    if (lists.inItem() && kind === "paragraph") {
      listRegion = region;
      return lists.add(text);
    }
    lists.end();
    const size = text.length;
    if (typeof kind === "number") push({ kind: "heading", level: kind, text, size, ...region });
    else push({ kind, text, size, ...region });
  };
  const addAlt = (alt: string, here: Region) => {
    // Short ones are icons and logos.
    if (alt.split(/\s+/).length < 3 || tables.length > 0) return;
    flush();
    gathered.add(alt);
    region = here;
    flush("figure");
  };
  const openTable = (attributes: Attributes) => {
    const outer = tables.at(-1);
    if (outer === undefined) lists.end();
    // A table in a table is page layout: the outer one's cells are blocks of their own.
    if (outer !== undefined && !outer.layout) {
      for (const text of outer.toLayout())
        push({ kind: "paragraph", text, size: text.length, ...region });
    }
    tables.push(openHtmlTable(attributes["role"] === "presentation"));
  };
  const closeTable = () => {
    const table = tables.pop();
    const made = table?.finish();
    if (made === undefined) return;
    const size = made.rows.flat().reduce((sum, cell) => sum + cell.length, 0);
    if (made.rows.every((row) => row.length <= 1)) {
      for (const row of made.rows) push({ kind: "paragraph", text: row[0] ?? "", size, ...region });
    } else push({ kind: "table", ...made, size, ...region });
  };

  return {
    open(name, attributes, here) {
      if (name === "br") gathered.add(pre > 0 ? "\n" : " \n");
      if (name === "img") addAlt((attributes["alt"] ?? "").trim(), here);
      if (!BLOCK.has(name)) return;
      flush(pre > 0 ? "code" : "paragraph");
      region = here;
      if (name === "ul" || name === "ol") lists.openList(name, attributes);
      else if (name === "li") lists.openItem();
      else if (name === "pre") pre += 1;
      else if (name === "table") openTable(attributes);
      else tables.at(-1)?.open(name, attributes);
    },
    text(text) {
      if (pre > 0) gathered.add(text);
      else {
        const flat = text.replace(/\s+/g, " ");
        gathered.add(gathered.endsInSpace() ? flat.trimStart() : flat);
      }
    },
    close(name, here) {
      if (!BLOCK.has(name)) return;
      flush(pre > 0 ? "code" : kindOf(name));
      if (name === "pre") pre = Math.max(0, pre - 1);
      else if (name === "li") lists.closeItem();
      else if (name === "ul" || name === "ol") lists.closeList();
      else if (name === "table") closeTable();
      else tables.at(-1)?.close(name);
      region = here;
    },
    finish() {
      flush();
      while (tables.length > 0) closeTable();
      lists.end();
      return pieces;
    },
  };
}

function kindOf(name: string): PieceKind {
  const level = HEADING.exec(name)?.[1];
  if (level !== undefined) return Number(level);
  return name === "pre" ? "code" : name === "figcaption" ? "figure" : "paragraph";
}

/** A block's text as it comes in. Its end is remembered: looking at it would copy all of it each time. */
function openGathered() {
  const state = { parts: [] as string[], endsInSpace: true };
  return {
    add(text: string) {
      if (text === "") return;
      state.parts.push(text);
      state.endsInSpace = /\s/.test(text.charAt(text.length - 1));
    },
    endsInSpace: () => state.endsInSpace,
    take(): string {
      const all = state.parts.join("");
      Object.assign(state, { parts: [], endsInSpace: true });
      return all;
    },
  };
}
