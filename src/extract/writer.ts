// Builds the document's Markdown and its blocks together, which keeps every span exact.

import type {
  Block,
  BlockKind,
  HiddenKind,
  HiddenText,
  PageReport,
  Place,
  SheetCells,
} from "../domain/document.ts";
import { distinct, type Message, toMessage } from "../domain/phrases/messages.ts";
import { oneLine, tidy } from "../text/clean/clean.ts";
import { overLimit } from "./failures.ts";
import { type Hidden, openHidden } from "./hidden/hidden.ts";
import { type Doubt, findWords } from "./image/ocr/uncertain.ts";
import { scanMarkdown } from "./plain/markdown.ts";
import { shapeOf } from "./tables/shape.ts";

// A file can have one for each of its pages, and people and models read them all.
const MAX_WARNINGS = 100;

export interface ListItem {
  readonly text: string;
  readonly depth: number;
  /** "1." or "a)" as in the source; a dash if the source has no marker. */
  readonly marker?: string;
}

/** A block before it is written. */
export type Piece =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph" | "code" | "figure"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly ListItem[] }
  | {
      readonly kind: "table";
      readonly rows: readonly (readonly string[])[];
      readonly headerRows?: number;
    };

export interface Written {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly pages: readonly PageReport[];
  readonly hidden: readonly HiddenText[];
  readonly warnings: readonly Message[];
}

export interface Writer {
  /** Starts a page, slide or sheet; what is written next belongs to it. */
  at(place: Place): void;
  heading(level: number, text: string): void;
  paragraph(text: string): void;
  list(items: readonly ListItem[]): void;
  /** Writes rows of cells. Pass `headerRows` where the file marks them; otherwise the cells decide. */
  table(
    rows: readonly (readonly string[])[],
    headerRows?: number,
    sheetCells?: SheetCells | undefined,
  ): void;
  code(text: string): void;
  figure(text: string): void;
  note(label: string, text: string): void;
  write(piece: Piece): void;
  /** Writes Markdown unchanged and scans it for blocks. */
  markdown(text: string): void;
  /** Ends the page, slide or sheet begun by `at` and records how it was read. */
  report(method: PageReport["method"], confidence?: number): void;
  /** Marks these words as uncertain in what was written from that character on. */
  doubt(words: readonly string[], from: number): void;
  warn(message: Message): void;
  /** Keeps text that people do not see. */
  hide(kind: HiddenKind, text: string): void;
  /** Looks for invisible characters in text as it is in the file, before it is cleaned. */
  inspect(raw: string): void;
  characters(): number;
  finish(): Written;
}

/** What has been written so far. */
interface Page {
  readonly maxCharacters: number;
  readonly hidden: Hidden;
  readonly parts: string[];
  readonly blocks: Block[];
  length: number;
  start: number;
  place: Place;
}

export function openWriter(maxCharacters: number): Writer {
  const hidden = openHidden();
  const none = { parts: [], blocks: [], length: 0, start: 0, place: {} };
  const page: Page = { maxCharacters, hidden, ...none };
  const pages: (PageReport & { readonly doubts: readonly Doubt[] })[] = [];
  let doubts: Doubt[] = [];
  const warnings: Message[] = [];
  return {
    ...blockWriter(page),
    at(next) {
      page.place = next;
      page.start = page.length;
    },
    report(method, confidence) {
      pages.push({ ...reportOf(page, method, confidence), doubts });
      doubts = [];
    },
    doubt: (words, from) => void doubts.push({ words, from, to: page.length }),
    warn: (message) => void warnings.push(message),
    hide(kind, text) {
      hidden.add({ place: page.place, kind, text });
      checkRoom(page, hidden.characters());
    },
    inspect: (raw) => hidden.inspect(raw, page.place),
    characters: () => page.length,
    finish() {
      const text = page.parts.join("");
      return {
        text,
        blocks: page.blocks,
        pages: pages.map((each) => withUncertain(each, text)),
        hidden: hidden.found(),
        // What is hidden comes first, because only so many warnings are kept.
        warnings: firstOf(distinct([...hidden.warnings(), ...warnings])),
      };
    },
  };
}

function reportOf(
  { place, length, start }: Page,
  method: PageReport["method"],
  confidence: number | undefined,
): PageReport {
  const characters = Math.max(0, length - start);
  const sure = confidence === undefined ? {} : { confidence: Math.round(confidence * 1000) / 1000 };
  return { place, method: characters === 0 ? "none" : method, characters, ...sure };
}

function withUncertain(
  { doubts, ...report }: PageReport & { readonly doubts: readonly Doubt[] },
  text: string,
): PageReport {
  const uncertain = doubts.flatMap((doubt) => findWords(text, doubt));
  return uncertain.length === 0 ? report : { ...report, uncertain };
}

function firstOf(warnings: readonly Message[]): readonly Message[] {
  const left = warnings.length - MAX_WARNINGS;
  if (left <= 0) return warnings;
  return [...warnings.slice(0, MAX_WARNINGS), toMessage("moreWarnings", left)];
}

type BlockWriter = Omit<
  Writer,
  "at" | "report" | "doubt" | "warn" | "hide" | "inspect" | "characters" | "finish"
>;

function blockWriter(page: Page): BlockWriter {
  const seen = (text: string) => {
    page.hidden.inspect(text, page.place);
    return text;
  };
  const writer: BlockWriter = {
    heading(level, text) {
      const line = oneLine(seen(text));
      const depth = Math.min(6, Math.max(1, level));
      if (line !== "") addBlock(page, "heading", `${"#".repeat(depth)} ${line}`, { level: depth });
    },
    paragraph: (text) => addBlock(page, "paragraph", tidy(seen(text))),
    list(items) {
      for (const { text } of items) seen(text);
      addBlock(page, "list", listText(items));
    },
    table(rows, marked, sheetCells) {
      for (const row of rows) for (const cell of row) seen(cell);
      addTableOrForm(page, rows, marked, sheetCells);
    },
    code(text) {
      const body = tidy(seen(text));
      if (body !== "") addBlock(page, "code", `\`\`\`\n${body}\n\`\`\``);
    },
    figure: (text) => addBlock(page, "figure", tidy(seen(text))),
    note(label, text) {
      const body = tidy(seen(text));
      if (body !== "") addBlock(page, "note", `> **${label}:** ${body.replace(/\n/g, "\n> ")}`);
    },
    markdown: (text) => addMarkdown(page, tidy(text)),
    write(piece) {
      if (piece.kind === "heading") writer.heading(piece.level, piece.text);
      else if (piece.kind === "list") writer.list(piece.items);
      else if (piece.kind === "table") writer.table(piece.rows, piece.headerRows);
      else writer[piece.kind](piece.text);
    },
  };
  return writer;
}

function addTableOrForm(
  page: Page,
  rows: readonly (readonly string[])[],
  marked: number | undefined,
  sheetCells: SheetCells | undefined,
): void {
  const lines = tableLines(rows);
  const shape = shapeOf(lines, marked);
  if (shape.kind === "form")
    addBlock(page, "list", listText(shape.fields.map((text) => ({ text, depth: 0 }))));
  else addTable(page, { lines, headerRows: shape.headerRows, sheetCells });
}

interface TableParts {
  readonly lines: readonly (readonly string[])[];
  readonly headerRows: number;
  readonly sheetCells: SheetCells | undefined;
}

/** Data without a header gets an empty one, because Markdown has no tables without. */
function addTable(page: Page, { lines, headerRows, sheetCells }: TableParts): void {
  const columns = lines.reduce((most, row) => Math.max(most, lastFilled(row) + 1), 0);
  if (columns === 0) return;
  // Each row is as wide as the widest, so one cell far to the right makes all rows long.
  checkRoom(page, lines.length * columns * CELL_CHARACTERS);
  const line = (row: readonly string[]) => {
    const cells = Array.from({ length: columns }, (_, at) => row[at] ?? "");
    return `| ${cells.join(" | ")} |`;
  };
  const [head = [], ...body] = headerRows === 0 ? [[], ...lines] : lines;
  const rows = [line(head), `|${" --- |".repeat(columns)}`, ...body.map(line)];
  const text = rows.join("\n");
  if (headerRows === 0) {
    addBlock(page, "table", text);
    return;
  }
  const header = rows.slice(0, 1 + Math.min(headerRows, lines.length)).join("\n").length + 1;
  const start = page.length === 0 ? 0 : page.length + 2;
  const headerEnd = start + Math.min(text.length, header);
  addBlock(page, "table", text, { headerEnd, ...(sheetCells && { sheetCells }) });
}

function addMarkdown(page: Page, body: string): void {
  if (body === "") return;
  const base = append(page, body);
  for (const found of scanMarkdown(body)) {
    page.blocks.push({
      ...found,
      start: base + found.start,
      end: base + found.end,
      place: page.place,
      ...(found.headerEnd === undefined ? {} : { headerEnd: base + found.headerEnd }),
    });
  }
}

function addBlock(page: Page, kind: BlockKind, text: string, extra: Partial<Block> = {}): void {
  if (text.trim() === "") return;
  const start = append(page, text);
  page.blocks.push({ kind, start, end: start + text.length, place: page.place, ...extra });
}

function append(page: Page, text: string): number {
  const { parts } = page;
  if (page.length > 0) {
    parts.push("\n\n");
    page.length += 2;
  }
  const start = page.length;
  parts.push(text);
  page.length += text.length;
  checkRoom(page, 0);
  return start;
}

/** `more`: text that is not written yet, so that it is not even put together. */
function checkRoom({ length, maxCharacters }: Page, more: number): void {
  if (length + more > maxCharacters) {
    throw overLimit(
      `a file of its size may have ${maxCharacters} characters of text, and it has more. Split it, or save it again without repeated parts`,
    );
  }
}

/** A cell's border and spaces. */
const CELL_CHARACTERS = 3;

function listText(items: readonly ListItem[]): string {
  const outer = items.reduce((least, item) => Math.min(least, item.depth), 8);
  const lines = items.flatMap(({ text, depth, marker }) => {
    const body = oneLine(text);
    return body === ""
      ? []
      : [`${"  ".repeat(Math.min(depth - outer, 8))}${marker ?? "-"} ${body}`];
  });
  return lines.join("\n");
}

/** Cells as one line each, without empty rows. */
function tableLines(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const cleaned = rows.map((row) => row.map((cell) => oneLine(cell).replace(/\|/g, "\\|")));
  return cleaned.filter((row) => row.some((cell) => cell !== ""));
}

function lastFilled(row: readonly string[]): number {
  return row.findLastIndex((cell) => cell !== "");
}
