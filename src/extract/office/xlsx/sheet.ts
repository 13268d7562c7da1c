// A sheet's XML → its filled cells, row by row. The size the sheet declares is ignored: it may be wrong.
import type { HiddenKind } from "../../../domain/document.ts";
import { overLimit } from "../../failures.ts";
import type { ExtractLimits } from "../../limits.ts";
import { child, eachElement, elements, textOf, type XmlElement } from "../xml.ts";
import type { FormatOf } from "./number-format.ts";
import type { UnseenOf } from "./unseen.ts";

export interface CellReading {
  readonly limits: ExtractLimits;
  readonly strings: readonly string[];
  readonly formatOf: FormatOf;
  readonly unseenOf: UnseenOf;
  cellsLeft: number;
}

interface SheetCell {
  text: string;
  readonly number: boolean;
}

export interface SheetRow {
  readonly row: number;
  readonly cells: Map<number, SheetCell>;
}

const MAX_REPEAT = 80;
const MAX_MERGES = 100_000;
const MAX_COLUMNS = 16_384;
const PARTS = new Set(["col", "row", "mergeCell"]);
/** What may be behind a cell although its own style says nothing. */
const PAINTED = ["conditionalFormatting", "tablePart", "<drawing", "<picture"];

interface Unseen {
  readonly columns: Set<number>;
  /** The colour of a cell is the one of its style. */
  readonly knowsColours: boolean;
  readonly texts: { readonly kind: HiddenKind; readonly text: string }[];
}

export interface Sheet {
  readonly rows: readonly SheetRow[];
  /** Cells that the sheet does not show. */
  readonly hidden: Unseen["texts"];
}

export function readSheet(bytes: Buffer, reading: CellReading): Sheet {
  const rows: SheetRow[] = [];
  const merges: string[] = [];
  const knowsColours = !PAINTED.some((name) => bytes.includes(name));
  const unseen: Unseen = { columns: new Set(), knowsColours, texts: [] };
  let nextRow = 1;
  eachElement(bytes, reading.limits.xmlDepth, PARTS, (part) => {
    if (part.name === "mergeCell") {
      if (merges.length < MAX_MERGES) merges.push(part.attributes["ref"] ?? "");
      return;
    }
    if (part.name === "col") return noteColumns(part, unseen.columns);
    const row = {
      row: Number(part.attributes["r"]) || nextRow,
      cells: toCells(part, reading, unseen),
    };
    nextRow = row.row + 1;
    if (row.cells.size > 0) rows.push(row);
  });
  fillMerged(rows, merges);
  return { rows, hidden: unseen.texts };
}

function isHidden({ attributes }: XmlElement): boolean {
  const { hidden, ht, width } = attributes;
  return hidden === "1" || hidden === "true" || Number(ht ?? 1) === 0 || Number(width ?? 1) === 0;
}

/** A definition of columns is for a range of them, counted from 1. */
function noteColumns(definition: XmlElement, columns: Set<number>): void {
  const { min, max } = definition.attributes;
  if (!isHidden(definition)) return;
  for (let at = Number(min); at <= Math.min(Number(max), MAX_COLUMNS); at += 1) columns.add(at - 1);
}

function toCells(row: XmlElement, reading: CellReading, unseen: Unseen): Map<number, SheetCell> {
  const cells = new Map<number, SheetCell>();
  const away = new Map<HiddenKind, string[]>();
  const isRowHidden = isHidden(row);
  let next = 0;
  for (const cell of elements(row)) {
    if (cell.name !== "c") continue;
    const column = columnOf(cell.attributes["r"]) ?? next;
    next = column + 1;
    const text = cellText(cell, reading);
    if (text.trim() === "") continue;
    takeRoom(reading);
    const { t: type = "n", s: style } = cell.attributes;
    const isAway = isRowHidden || unseen.columns.has(column);
    const kind = isAway ? "hidden" : styledAway(reading.unseenOf(style), unseen);
    if (kind === undefined) cells.set(column, { text, number: type === "n" || type === "d" });
    else
      away
        .set(kind, away.get(kind) ?? [])
        .get(kind)
        ?.push(text);
  }
  for (const [kind, texts] of away) unseen.texts.push({ kind, text: texts.join(" | ") });
  return cells;
}

function styledAway(
  kind: HiddenKind | undefined,
  { knowsColours }: Unseen,
): HiddenKind | undefined {
  return kind === "same-colour" && !knowsColours ? undefined : kind;
}

function takeRoom(reading: CellReading): void {
  reading.cellsLeft -= 1;
  if (reading.cellsLeft < 0)
    throw overLimit(`it has more than ${reading.limits.cells} filled cells`);
}

function cellText(cell: XmlElement, { strings, formatOf }: CellReading): string {
  const { t: type = "n", s: style } = cell.attributes;
  const value = textOf(child(cell, "v"));
  switch (type) {
    case "s":
      return strings[Number(value)] ?? "";
    case "inlineStr":
      return stringText(child(cell, "is"));
    case "b":
      return value === "1" || value === "true" ? "TRUE" : "FALSE";
    case "str":
    case "e":
    case "d":
      return value;
    default: {
      const number = Number(value);
      return value === "" || Number.isNaN(number) ? value : formatOf(style)(number);
    }
  }
}

/** Joins runs of rich text, without the phonetic guides of Japanese (rPh). */
export function stringText(item: XmlElement | undefined): string {
  return elements(item)
    .map((part) => {
      if (part.name === "t") return textOf(part);
      return part.name === "r" ? textOf(child(part, "t")) : "";
    })
    .join("");
}

/** Converts "BC12" to 54, counted from zero. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** A label merged over several rows belongs to each of them. */
function fillMerged(rows: readonly SheetRow[], merges: readonly string[]): void {
  if (merges.length === 0) return;
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  for (const merge of merges) {
    const found = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(merge);
    const column = columnOf(found?.[1]);
    const top = Number(found?.[2]);
    const bottom = Number(found?.[4]);
    const label = column === undefined ? undefined : byNumber.get(top)?.cells.get(column);
    if (column === undefined || label === undefined || label.text.length > MAX_REPEAT) continue;
    for (let row = top + 1; row <= Math.min(bottom, top + 1_000); row += 1) {
      const below = byNumber.get(row)?.cells;
      if (below !== undefined && !below.has(column)) below.set(column, label);
    }
  }
}
