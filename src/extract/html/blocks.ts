// Elements and text of a page, in order → headings, paragraphs, lists, tables and code.

import type { Piece } from "../writer.ts";
import { type HtmlLists, openHtmlLists } from "./list.ts";
import type { Attributes } from "./style-sheets.ts";
import {
  addToTable,
  closeTablePart,
  finishTable,
  type HtmlTable,
  openHtmlTable,
  openTablePart,
  toLayout,
} from "./table.ts";

interface Region {
  readonly main: boolean;
  readonly furniture: boolean;
}

export type HtmlPiece = Piece & Region & { readonly size: number; readonly isTerm?: boolean };

const BLOCK = new Set(
  "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup legend li main menu ol p section summary text ul h1 h2 h3 h4 h5 h6 pre table caption thead tbody tfoot tr td th hr option label".split(
    " ",
  ),
);
const HEADING = /^h([1-6])$/;

/** A number is a heading's level. */
type PieceKind = "paragraph" | "term" | "code" | "figure" | number;

interface BlocksState {
  readonly pieces: HtmlPiece[];
  readonly tables: HtmlTable[];
  readonly lists: HtmlLists;
  readonly gathered: Gathered;
  region: Region;
  listRegion: Region;
  /** The number of open `pre` elements. */
  pre: number;
}

export function openHtmlBlocks() {
  const region: Region = { main: false, furniture: false };
  const lists = openHtmlLists((items) => {
    const size = items.reduce((sum, item) => sum + item.text.length, 0);
    state.pieces.push({ kind: "list", items, size, ...state.listRegion });
  });
  const state: BlocksState = {
    pieces: [],
    tables: [],
    lists,
    gathered: openGathered(),
    region,
    listRegion: region,
    pre: 0,
  };
  return {
    open: (name: string, attributes: Attributes, here: Region) =>
      openElement(state, { name, attributes, here }),
    text: (text: string) => addText(state, text),
    close: (name: string, here: Region) => closeElement(state, name, here),
    finish() {
      flush(state, "paragraph");
      while (state.tables.length > 0) closeTable(state);
      lists.end();
      return withTerms(state.pieces);
    },
  };
}

interface OpenedElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly here: Region;
}

function openElement(state: BlocksState, { name, attributes, here }: OpenedElement): void {
  if (name === "br") state.gathered.add(state.pre > 0 ? "\n" : " \n");
  if (name === "img") addAlt(state, (attributes["alt"] ?? "").trim(), here);
  if (!BLOCK.has(name)) return;
  flush(state, state.pre > 0 ? "code" : "paragraph");
  state.region = here;
  const table = state.tables.at(-1);
  if (name === "ul" || name === "ol") state.lists.openList(name, attributes);
  else if (name === "li") state.lists.openItem();
  else if (name === "pre") state.pre += 1;
  else if (name === "table") openTable(state, attributes);
  else if (table !== undefined) openTablePart(table, name, attributes);
}

function closeElement(state: BlocksState, name: string, here: Region): void {
  if (!BLOCK.has(name)) return;
  flush(state, state.pre > 0 ? "code" : kindOf(name));
  const table = state.tables.at(-1);
  if (name === "pre") state.pre = Math.max(0, state.pre - 1);
  else if (name === "li") state.lists.closeItem();
  else if (name === "ul" || name === "ol") state.lists.closeList();
  else if (name === "table") closeTable(state);
  else if (table !== undefined) closeTablePart(table, name);
  state.region = here;
}

function addText({ gathered, pre }: BlocksState, text: string): void {
  if (pre > 0) {
    gathered.add(text);
    return;
  }
  const flat = text.replace(/\s+/g, " ");
  gathered.add(gathered.endsInSpace() ? flat.trimStart() : flat);
}

/** Turns the gathered text into a piece, a list item or part of a table cell. */
function flush(state: BlocksState, kind: PieceKind): void {
  const { lists, region } = state;
  const all = state.gathered.take();
  const isCode = state.pre > 0 || kind === "code";
  const text = isCode ? all.replace(/^\n/, "").trimEnd() : all.trim();
  if (text === "") return;
  const table = state.tables.at(-1);
  if (table !== undefined && !table.layout) {
    addToTable(table, text);
  } else if (lists.inItem() && kind === "paragraph") {
    state.listRegion = region;
    lists.add(text);
  } else {
    lists.end();
    state.pieces.push({ ...shapeOf(kind), text, size: text.length, ...region });
  }
}

function shapeOf(kind: PieceKind) {
  if (typeof kind === "number") return { kind: "heading", level: kind } as const;
  return kind === "term" ? ({ kind: "paragraph", isTerm: true } as const) : ({ kind } as const);
}

/** A term and its definition become one block, so that no chunk ends between them. */
function withTerms(pieces: readonly HtmlPiece[]): readonly HtmlPiece[] {
  const kept: HtmlPiece[] = [];
  for (const piece of pieces) {
    const term = kept.at(-1);
    const joins = term?.kind === "paragraph" && term.isTerm && piece.kind === "paragraph";
    if (!joins) kept.push(piece);
    else {
      const text = `${term.text}\n\n${piece.text}`;
      kept.splice(-1, 1, { ...piece, text, size: text.length });
    }
  }
  return kept;
}

function addAlt(state: BlocksState, alt: string, here: Region): void {
  // Images with a short alternative text are icons and logos.
  if (alt.split(/\s+/).length < 3 || state.tables.length > 0) return;
  flush(state, "paragraph");
  state.gathered.add(alt);
  state.region = here;
  flush(state, "figure");
}

function openTable(state: BlocksState, attributes: Attributes): void {
  const { tables, lists, region } = state;
  const outer = tables.at(-1);
  if (outer === undefined) lists.end();
  // If a table contains a table, the outer one is page layout: its cells become separate blocks.
  if (outer !== undefined && !outer.layout) {
    for (const text of toLayout(outer)) {
      state.pieces.push({ kind: "paragraph", text, size: text.length, ...region });
    }
  }
  tables.push(openHtmlTable(attributes["role"] === "presentation"));
}

function closeTable({ tables, pieces, region }: BlocksState): void {
  const table = tables.pop();
  const made = table && finishTable(table);
  if (made === undefined) return;
  const { caption, ...cells } = made;
  const size = cells.rows.flat().reduce((sum, cell) => sum + cell.length, 0);
  const isTable = cells.rows.some((row) => row.length > 1);
  for (const [text = ""] of isTable ? [[caption]] : [[caption], ...cells.rows])
    if (text !== "") pieces.push({ kind: "paragraph", text, size: text.length, ...region });
  if (isTable) pieces.push({ kind: "table", ...cells, size, ...region });
}

function kindOf(name: string): PieceKind {
  const level = HEADING.exec(name)?.[1];
  if (level !== undefined) return Number(level);
  if (name === "pre") return "code";
  if (name === "dt") return "term";
  return name === "figcaption" ? "figure" : "paragraph";
}

type Gathered = ReturnType<typeof openGathered>;

/**
 * Gathers a block's text. Whether it ends in a space is remembered, because looking it up would
 * copy all of the text each time.
 */
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
