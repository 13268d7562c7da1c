// XLS, Excel's format up to 2003: a stream of records, with the cells of each sheet as they are shown.
import type { HiddenKind } from "../../../domain/document.ts";
import { damaged, encrypted, overLimit } from "../../failures.ts";
import { unseenKind } from "../../hidden/appearance.ts";
import { WHITE } from "../../hidden/colour.ts";
import { decodeCodePage } from "../../plain/charset.ts";
import type { ReadContext, ReadOutcome } from "../../reader.ts";
import type { Writer } from "../../writer.ts";
import { openFormats } from "../xlsx/number-format.ts";
import { rowsText, writeRegions } from "../xlsx/regions.ts";
import type { SheetRow } from "../xlsx/sheet.ts";
import { openCompoundFile, summaryTitle } from "./compound-file.ts";

const RECORD = {
  formula: 0x06,
  end: 0x0a,
  date1904: 0x22,
  password: 0x2f,
  font: 0x31,
  more: 0x3c,
  codePage: 0x42,
  columns: 0x7d,
  sheet: 0x85,
  manyRk: 0xbd,
  richLabel: 0xd6,
  cellFormat: 0xe0,
  strings: 0xfc,
  sharedLabel: 0xfd,
  number: 0x203,
  label: 0x204,
  boolOrError: 0x205,
  result: 0x207,
  row: 0x208,
  rk: 0x27e,
  numberFormat: 0x41e,
  start: 0x809,
} as const;
const FIRST_WITH_UNICODE = 0x600;
const ERRORS: Readonly<Record<number, string>> = {
  0: "#NULL!",
  7: "#DIV/0!",
  15: "#VALUE!",
  23: "#REF!",
  29: "#NAME?",
  36: "#NUM!",
  42: "#N/A",
};

interface Entry {
  readonly type: number;
  readonly data: Buffer;
  /** A long record goes on in others; texts may be cut between them. */
  readonly more: readonly Buffer[];
  readonly at: number;
}

interface Workbook {
  readonly strings: readonly string[];
  readonly format: (cellFormat: number) => (value: number) => string;
  readonly text: (data: Buffer, at: number, lengthBytes: 1 | 2) => string;
  readonly unseen: (cellFormat: number) => HiddenKind | undefined;
  readonly sheets: readonly {
    readonly name: string;
    readonly at: number;
    readonly isHidden: boolean;
  }[];
}

export function readXls({ bytes, limits, out, progress }: ReadContext): ReadOutcome {
  const file = openCompoundFile(bytes);
  const stream = file.stream("Workbook") ?? file.stream("Book");
  if (stream === undefined) throw damaged();
  const records = readRecords(stream);
  const book = readGlobals(records);
  const byPlace = new Map(records.map((record, index) => [record.at, index]));
  const left = { cells: limits.cells, records: records.length };
  for (const [done, { name, at, isHidden }] of book.sheets.entries()) {
    const own = recordsOf(records, byPlace.get(at) ?? records.length);
    // Each record belongs to one sheet at most; sheets over sheets would be read again and again.
    left.records -= own.length;
    if (left.records < 0) throw damaged();
    const sheet = readSheet(own, book);
    left.cells -= sheet.rows.reduce((sum, { cells }) => sum + cells.size, 0);
    if (left.cells < 0) throw overLimit(`it has more than ${limits.cells} filled cells`);
    out.at({ sheet: name });
    writeSheet(out, name, sheet, isHidden);
    out.report("text");
    progress({ done: done + 1, total: book.sheets.length, unit: "sheet" });
  }
  return { method: "text_extraction", title: summaryTitle(file) };
}

function writeSheet(out: Writer, name: string, { rows, hidden }: Sheet, isHidden: boolean): void {
  for (const [kind, texts] of hidden) out.hide(kind, texts.join("\n"));
  if (isHidden) out.hide("hidden", rowsText(rows));
  else {
    if (rows.length > 0) out.heading(2, name);
    writeRegions(out, rows);
  }
}

function readRecords(stream: Buffer): readonly Entry[] {
  const records: (Omit<Entry, "more"> & { more: Buffer[] })[] = [];
  for (let at = 0; at + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(at);
    const length = stream.readUInt16LE(at + 2);
    const data = stream.subarray(at + 4, at + 4 + length);
    if (type === RECORD.more) records.at(-1)?.more.push(data);
    else records.push({ type, data, more: [], at });
    at += 4 + length;
  }
  return records;
}

function readGlobals(records: readonly Entry[]): Workbook {
  const end = records.findIndex(({ type }) => type === RECORD.end);
  const globals = records.slice(0, end);
  const all = (type: number) => globals.filter((record) => record.type === type);
  const number = (type: number) => all(type)[0]?.data.readUInt16LE(0);
  if (all(RECORD.password).length > 0) throw encrypted();
  const isUnicode = (number(RECORD.start) ?? 0) >= FIRST_WITH_UNICODE;
  const codePage = number(RECORD.codePage) ?? 1252;
  const text: Workbook["text"] = (data, at, lengthBytes) =>
    isUnicode ? unicodeText(data, at, lengthBytes) : narrowText(data, at, lengthBytes, codePage);
  const codes = new Map(
    all(RECORD.numberFormat).map(({ data }) => [
      data.readUInt16LE(0),
      text(data, 2, isUnicode ? 2 : 1),
    ]),
  );
  const cellFormats = all(RECORD.cellFormat).map(({ data }) => data.readUInt16LE(2));
  const date1904 = number(RECORD.date1904) === 1;
  const shared = all(RECORD.strings)[0];
  const formats = openFormats(codes, date1904);
  return {
    text,
    strings: shared === undefined ? [] : sharedStrings([shared.data, ...shared.more]),
    // Sheets of kind 0 have cells.
    sheets: all(RECORD.sheet)
      .filter(({ data }) => data[5] === 0)
      .map(({ data }) => ({
        name: text(data, 6, 1),
        at: data.readUInt32LE(0),
        isHidden: ((data[4] ?? 0) & 3) !== 0,
      })),
    unseen: unseenFormats(all(RECORD.font), all(RECORD.cellFormat), codes),
    format: (cellFormat) => formats(cellFormats[cellFormat] ?? 0),
  };
}

const BLANK = /^\s*;\s*;\s*;?\s*$/;
const WHITES = new Set([1, 9]);
const FIRST_WITH_FILLS = 20;

/** By a cell's font, fill and number format. */
function unseenFormats(
  fonts: readonly Entry[],
  formats: readonly Entry[],
  codes: ReadonlyMap<number, string>,
): Workbook["unseen"] {
  const kinds = formats.map(({ data }) => {
    if (BLANK.test(codes.get(data.readUInt16LE(2)) ?? "")) return "hidden";
    const number = data.readUInt16LE(0);
    // There is no font with the number 4.
    const font = fonts[number > 4 ? number - 1 : number]?.data;
    if (font === undefined || font.length < 6 || data.length < FIRST_WITH_FILLS) return undefined;
    return unseenKind({
      points: font.readUInt16LE(0) / 20,
      colour: WHITES.has(font.readUInt16LE(4)) ? WHITE : undefined,
      behind: data.readUInt32LE(14) >>> 26 === 0 ? WHITE : null,
    });
  });
  return (cellFormat) => kinds[cellFormat];
}

function narrowText(data: Buffer, at: number, lengthBytes: 1 | 2, codePage: number): string {
  const length = lengthBytes === 1 ? data.readUInt8(at) : data.readUInt16LE(at);
  return decodeCodePage(data.subarray(at + lengthBytes, at + lengthBytes + length), codePage);
}

function unicodeText(data: Buffer, at: number, lengthBytes: 1 | 2): string {
  const length = lengthBytes === 1 ? data.readUInt8(at) : data.readUInt16LE(at);
  const from = at + lengthBytes + 1;
  const isWide = ((data[at + lengthBytes] ?? 0) & 1) === 1;
  return isWide
    ? data.subarray(from, from + length * 2).toString("utf16le")
    : data.subarray(from, from + length).toString("latin1");
}

/** All texts of the workbook, in one record that is cut anywhere: after a cut, the text says again how wide its letters are. */
function sharedStrings(parts: readonly Buffer[]): readonly string[] {
  const cursor = { part: 0, at: 8 };
  const strings: string[] = [];
  const count = (parts[0]?.length ?? 0) < 8 ? 0 : (parts[0]?.readUInt32LE(4) ?? 0);
  const skip = (bytes: number) => {
    let left = bytes;
    while (left > 0 && cursor.part < parts.length) {
      const step = Math.min(left, (parts[cursor.part]?.length ?? 0) - cursor.at);
      left -= step;
      cursor.at += step;
      if (left > 0) Object.assign(cursor, { part: cursor.part + 1, at: 0 });
    }
  };
  for (let done = 0; done < count; done += 1) {
    if (cursor.at >= (parts[cursor.part]?.length ?? 0))
      Object.assign(cursor, { part: cursor.part + 1, at: 0 });
    const data = parts[cursor.part];
    if (data === undefined || cursor.at + 3 > data.length) break;
    const flags = data.readUInt8(cursor.at + 2);
    const length = data.readUInt16LE(cursor.at);
    cursor.at += 3;
    let after = 0;
    if ((flags & 8) !== 0) {
      after += data.readUInt16LE(cursor.at) * 4;
      cursor.at += 2;
    }
    if ((flags & 4) !== 0) {
      after += data.readUInt32LE(cursor.at);
      cursor.at += 4;
    }
    strings.push(cutText(parts, cursor, length, (flags & 1) === 1));
    skip(after);
  }
  return strings;
}

function cutText(
  parts: readonly Buffer[],
  cursor: { part: number; at: number },
  length: number,
  wide: boolean,
): string {
  let text = "";
  let isWide = wide;
  while (text.length < length && cursor.part < parts.length) {
    const data = parts[cursor.part] as Buffer;
    const width = isWide ? 2 : 1;
    const take = Math.min(length - text.length, Math.floor((data.length - cursor.at) / width));
    const bytes = data.subarray(cursor.at, cursor.at + take * width);
    text += bytes.toString(isWide ? "utf16le" : "latin1");
    cursor.at += take * width;
    if (text.length === length) break;
    cursor.part += 1;
    cursor.at = 1;
    isWide = ((parts[cursor.part]?.[0] ?? 0) & 1) === 1;
  }
  return text;
}

/** From the start of a sheet to its end; charts inside it have their own starts and ends. */
function recordsOf(records: readonly Entry[], from: number): readonly Entry[] {
  let depth = 0;
  for (let at = from; at < records.length; at += 1) {
    const type = records[at]?.type;
    if (type === RECORD.start) depth += 1;
    if (type === RECORD.end) depth -= 1;
    if (depth === 0) return records.slice(from, at + 1);
  }
  return records.slice(from);
}

interface Sheet {
  readonly rows: readonly SheetRow[];
  readonly hidden: ReadonlyMap<HiddenKind, readonly string[]>;
}

function readSheet(records: readonly Entry[], book: Workbook): Sheet {
  const rows = new Map<number, SheetRow>();
  const hidden = new Map<HiddenKind, string[]>();
  const isAway = hiddenLines(records);
  const put: Put = (data, column, text, number) => {
    const row = data.readUInt16LE(0) + 1;
    if (text.trim() === "") return;
    const kind = isAway(row, column) ? "hidden" : book.unseen(data.readUInt16LE(4));
    if (kind !== undefined) hidden.set(kind, [...(hidden.get(kind) ?? []), text]);
    else {
      const line = rows.get(row) ?? { row, cells: new Map() };
      rows.set(row, line);
      line.cells.set(column, { text, number });
    }
  };
  let formula: Buffer | undefined;
  let depth = 0;
  for (const { type, data } of records) {
    if (type === RECORD.start) depth += 1;
    if (type === RECORD.end) depth -= 1;
    // A chart inside the sheet has its own cells.
    if (depth > 1) continue;
    if (type === RECORD.formula) formula = data;
    if (type === RECORD.result && formula !== undefined)
      put(formula, formula.readUInt16LE(2), book.text(data, 0, 2), false);
    else readCell(type, data, book, put);
  }
  return { rows: [...rows.values()].sort((a, b) => a.row - b.row), hidden };
}

/** Rows of no height and hidden columns. */
function hiddenLines(records: readonly Entry[]): (row: number, column: number) => boolean {
  const rows = new Set<number>();
  const columns: (readonly [first: number, last: number])[] = [];
  for (const { type, data } of records) {
    if (type === RECORD.row && data.length >= 14 && (data.readUInt16LE(12) & 0x20) !== 0)
      rows.add(data.readUInt16LE(0) + 1);
    if (type === RECORD.columns && data.length >= 10 && (data.readUInt16LE(8) & 1) !== 0)
      columns.push([data.readUInt16LE(0), data.readUInt16LE(2)]);
  }
  return (row, column) =>
    rows.has(row) || columns.some(([first, last]) => column >= first && column <= last);
}

type Put = (data: Buffer, column: number, text: string, number: boolean) => void;

function readCell(type: number, data: Buffer, book: Workbook, put: Put): void {
  if (data.length < 6) return;
  const column = data.readUInt16LE(2);
  const show = book.format(data.readUInt16LE(4));
  if (type === RECORD.sharedLabel)
    put(data, column, book.strings[data.readUInt32LE(6)] ?? "", false);
  else if (type === RECORD.label || type === RECORD.richLabel)
    put(data, column, book.text(data, 6, 2), false);
  else if (type === RECORD.number) put(data, column, show(data.readDoubleLE(6)), true);
  else if (type === RECORD.rk) put(data, column, show(rkNumber(data.readInt32LE(6))), true);
  else if (type === RECORD.boolOrError) put(data, column, boolOrError(data), false);
  else if (type === RECORD.formula) putResult(data, column, show, put);
  else if (type === RECORD.manyRk) {
    for (let at = 4; at + 8 <= data.length; at += 6) {
      const value = rkNumber(data.readInt32LE(at + 2));
      put(data, column + (at - 4) / 6, book.format(data.readUInt16LE(at))(value), true);
    }
  }
}

function boolOrError(data: Buffer): string {
  if (data[7] === 1) return ERRORS[data[6] ?? 0] ?? "#N/A";
  return data[6] === 1 ? "TRUE" : "FALSE";
}

/** A formula's number; texts come in a separate record. */
function putResult(data: Buffer, column: number, show: (value: number) => string, put: Put): void {
  if (data.readUInt16LE(12) !== 0xffff) put(data, column, show(data.readDoubleLE(6)), true);
  else if (data[6] === 1) put(data, column, data[8] === 1 ? "TRUE" : "FALSE", false);
  else if (data[6] === 2) put(data, column, ERRORS[data[8] ?? 0] ?? "#N/A", false);
}

/** 30 bits of a number: whole, or the upper half of a double; either may be in hundredths. */
function rkNumber(rk: number): number {
  const half = Buffer.alloc(8);
  half.writeInt32LE(rk & ~3, 4);
  const value = (rk & 2) !== 0 ? rk >> 2 : half.readDoubleLE(0);
  return (rk & 1) !== 0 ? value / 100 : value;
}
