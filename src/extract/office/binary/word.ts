// DOC, Word's format up to 2003: the pieces of the text in order, paragraphs with their styles, tables, notes.
import type { HiddenKind } from "../../../domain/document.ts";
import { damaged, encrypted } from "../../failures.ts";
import { unseenKind } from "../../hidden/appearance.ts";
import { decodeText } from "../../plain/charset.ts";
import type { ReadContext, ReadOutcome } from "../../reader.ts";
import type { Writer } from "../../writer.ts";
import { openCompoundFile, summaryTitle } from "./compound-file.ts";

// Places in the file's header. Word 97 and later have a table stream; earlier versions have all text in one run.
const FLAGS = 0x0a;
const ENCRYPTED = 0x0100;
const SECOND_TABLE = 0x0200;
const FIRST_WITH_PIECES = 193;
const TEXT_LENGTHS = 0x4c;
const CHARACTERS = 0xfa;
const PARAGRAPHS = 0x102;
const PIECES = 0x1a2;
const CELL_END = "\u0007";
/** Paragraphs, pages and cells end with one of these. */
const ENDS = new RegExp(`[\r\f${CELL_END}]`, "g");
const FIELD = { start: "\u0013", result: "\u0014", end: "\u0015" };
const SHOWN: ReadonlyMap<string, string> = new Map([
  ...Array.from({ length: 32 }, (_, code) => [String.fromCharCode(code), ""] as const),
  ["\t", "\t"],
  ["\r", "\n"],
  ["\u000b", "\n"],
  ["\u001e", "-"],
]);
// Properties of characters and paragraphs.
const HIDDEN = 0x083c;
const HALF_POINTS = 0x4a43;
const IN_TABLE = 0x2416;
const ENDS_ROW = 0x2417;
/** How many bytes a value takes, by the highest three bits of its property; some say it themselves. */
const VALUE_BYTES = [1, 1, 2, 4, 2, 2, undefined, 3];

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
  readonly bytesPerCharacter: number;
}

interface Run {
  readonly start: number;
  readonly end: number;
  readonly style: number;
  readonly inTable: boolean;
  readonly endsRow: boolean;
}

export function readDoc({ bytes, out }: ReadContext): ReadOutcome {
  const file = openCompoundFile(bytes);
  const main = file.stream("WordDocument");
  if (main === undefined || main.length < 0x200) throw damaged();
  const flags = main.readUInt16LE(FLAGS);
  if ((flags & ENCRYPTED) !== 0) throw encrypted();
  if (main.readUInt16LE(2) < FIRST_WITH_PIECES) writeOldText(main, out);
  else {
    const table = file.stream((flags & SECOND_TABLE) === 0 ? "0Table" : "1Table");
    if (table === undefined) throw damaged();
    writeText(main, table, out);
  }
  out.report("text");
  return { method: "text_extraction", title: summaryTitle(file) };
}

/** Versions before Word 97 do not say in which charset it is. */
function writeOldText(main: Buffer, out: Writer): void {
  const { text } = decodeText(main.subarray(main.readUInt32LE(0x18), main.readUInt32LE(0x1c)));
  for (const line of text.split(ENDS)) out.paragraph(withoutFields(line));
}

function writeText(main: Buffer, table: Buffer, out: Writer): void {
  const pieces = readPieces(at(table, main, PIECES));
  const runs = readRuns(main, at(table, main, PARAGRAPHS), toRun).filter(({ end }) => end > 0);
  const [body = 0, footnotes = 0, headers = 0, macros = 0, comments = 0, endnotes = 0, boxes = 0] =
    Array.from({ length: 7 }, (_, index) => main.readUInt32LE(TEXT_LENGTHS + index * 4));
  const lengths = [body, footnotes, headers, macros, comments, endnotes, boxes];
  // Pieces may lie over each other, but a text has no more characters than its stream has bytes.
  if (lengths.reduce((sum, length) => sum + length, 0) > main.length) throw damaged();
  const unseen = readUnseen(main, at(table, main, CHARACTERS));
  const text = (from: number, length: number) =>
    textOf({ main, pieces, unseen, out }, from, from + length);
  writeBody(text(0, body), { pieces, runs, out });
  const afterHeaders = body + footnotes + headers + macros;
  const note = (label: string, from: number, length: number) => {
    for (const line of text(from, length).split("\r")) out.note(label, withoutFields(line));
  };
  note("Note", body, footnotes);
  note("Comment", afterHeaders, comments);
  note("Note", afterHeaders + comments, endnotes);
  const boxed = text(afterHeaders + comments + endnotes, boxes);
  for (const line of boxed.split("\r")) out.paragraph(withoutFields(line));
}

/** The part of the table stream that an entry of the header names. */
function at(table: Buffer, main: Buffer, entry: number): Buffer {
  const start = main.readUInt32LE(entry);
  return table.subarray(start, start + main.readUInt32LE(entry + 4));
}

/** After formatting that pieces share: character positions, then for each piece where its bytes are. */
function readPieces(bytes: Buffer): readonly Piece[] {
  let from = 0;
  while (bytes[from] === 1) from += 3 + bytes.readUInt16LE(from + 1);
  if (bytes[from] !== 2) throw damaged();
  const list = bytes.subarray(from + 5, from + 5 + bytes.readUInt32LE(from + 1));
  const count = Math.floor((list.length - 4) / 12);
  return Array.from({ length: count }, (_, index) => {
    const place = list.readUInt32LE((count + 1) * 4 + index * 8 + 2);
    const isNarrow = (place & 0x40000000) !== 0;
    return {
      start: list.readUInt32LE(index * 4),
      end: list.readUInt32LE(index * 4 + 4),
      offset: isNarrow ? (place & 0x3fffffff) >>> 1 : place,
      bytesPerCharacter: isNarrow ? 1 : 2,
    };
  });
}

interface Source {
  readonly main: Buffer;
  readonly pieces: readonly Piece[];
  readonly unseen: readonly Unseen[];
  readonly out: Writer;
}

function textOf({ main, pieces, unseen, out }: Source, from: number, to: number): string {
  return pieces
    .map(({ start, end, offset, bytesPerCharacter }) => {
      const first = Math.max(start, from);
      const last = Math.min(end, to);
      if (first >= last) return "";
      const begin = offset + (first - start) * bytesPerCharacter;
      const bytes = main.subarray(begin, begin + (last - first) * bytesPerCharacter);
      let text = bytesPerCharacter === 1 ? decode(bytes) : bytes.toString("utf16le");
      for (const run of unseen) {
        const cut = Math.max(0, (run.start - begin) / bytesPerCharacter);
        const hidden = text.slice(cut, Math.max(0, (run.end - begin) / bytesPerCharacter));
        if (hidden === "") continue;
        out.hide(run.kind, withoutFields(hidden));
        text = text.slice(0, cut) + masked(hidden) + text.slice(cut + hidden.length);
      }
      return text;
    })
    .join("");
}

/** As long as before, because places are counted in characters; paragraphs and fields still end. */
function masked(text: string): string {
  return text.replace(MASKED, "\u0000");
}

const MASKED = new RegExp(`[^\r\f${CELL_END}${Object.values(FIELD).join("")}]`, "g");

const decode = (bytes: Buffer) => new TextDecoder("windows-1252").decode(bytes);

/** What a list in the table stream says about runs of bytes: pages of 512 bytes hold it. */
function readRuns<T>(
  main: Buffer,
  list: Buffer,
  toRun: (page: Buffer, index: number, runs: number) => T,
): readonly T[] {
  const count = Math.floor((list.length - 4) / 8);
  const pages = Array.from({ length: Math.max(0, count) }, (_, index) =>
    list.readUInt32LE((count + 1) * 4 + index * 4),
  );
  return pages.flatMap((number) => {
    const page = main.subarray(number * 512, number * 512 + 512);
    const runs = page.length < 512 ? 0 : page.readUInt8(511);
    return Array.from({ length: runs }, (_, index) => toRun(page, index, runs));
  });
}

interface Unseen {
  readonly start: number;
  readonly end: number;
  readonly kind: HiddenKind;
}

function readUnseen(main: Buffer, list: Buffer): readonly Unseen[] {
  return readRuns(main, list, (page, index, runs): readonly Unseen[] => {
    const entry = (runs + 1) * 4 + index;
    const place = entry < 511 ? page.readUInt8(entry) * 2 : 0;
    if (place === 0 || place > 508) return [];
    const kind = unseenRun(page.subarray(place + 1, place + 1 + page.readUInt8(place)));
    const [start, end] = [page.readUInt32LE(index * 4), page.readUInt32LE(index * 4 + 4)];
    return kind === undefined ? [] : [{ start, end, kind }];
  }).flat();
}

function unseenRun(list: Buffer): HiddenKind | undefined {
  const properties = readProperties(list);
  if (properties.get(HIDDEN) === 1) return "hidden";
  return unseenKind({ points: (properties.get(HALF_POINTS) ?? 24) / 2 });
}

/** The first byte of each property's value. */
function readProperties(list: Buffer): ReadonlyMap<number, number> {
  const properties = new Map<number, number>();
  for (let at = 0; at + 3 <= list.length; ) {
    const code = list.readUInt16LE(at);
    const own = list.readUInt8(at + 2);
    properties.set(code, own);
    at += 2 + (VALUE_BYTES[code >>> 13] ?? own + 1);
  }
  return properties;
}

function toRun(page: Buffer, index: number, runs: number): Run {
  const nothing = { start: 0, end: 0, style: 0, inTable: false, endsRow: false };
  const entry = (runs + 1) * 4 + index * 13;
  if (entry >= 511) return nothing;
  const place = page.readUInt8(entry) * 2;
  const start = page.readUInt32LE(index * 4);
  const end = page.readUInt32LE(index * 4 + 4);
  if (place === 0 || place > 508) return { ...nothing, start, end };
  const words = page.readUInt8(place);
  const from = words === 0 ? place + 2 : place + 1;
  const length = words === 0 ? page.readUInt8(place + 1) * 2 : words * 2 - 1;
  const properties = readProperties(page.subarray(from + 2, from + length));
  return {
    start,
    end,
    style: from + 2 > 512 ? 0 : page.readUInt16LE(from),
    inTable: properties.get(IN_TABLE) === 1,
    endsRow: properties.get(ENDS_ROW) === 1,
  };
}

interface Body {
  readonly pieces: readonly Piece[];
  readonly runs: readonly Run[];
  readonly out: Writer;
}

function writeBody(text: string, { pieces, runs, out }: Body): void {
  const runAt = (character: number) => {
    const piece = findSpan(pieces, character);
    if (piece === undefined) return undefined;
    const place = piece.offset + (character - piece.start) * piece.bytesPerCharacter;
    return findSpan(runs, place);
  };
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = "";
  let from = 0;
  for (const mark of text.matchAll(ENDS)) {
    const line = withoutFields(text.slice(from, mark.index));
    from = mark.index + 1;
    const run = runAt(mark.index);
    if (run?.endsRow === true) {
      rows.push(cells);
      cells = [];
    } else if (mark[0] === CELL_END) {
      cells.push(cell + line);
      cell = "";
    } else if (run?.inTable === true) {
      cell += `${line}\n`;
    } else {
      out.table(rows.splice(0));
      writeParagraph(out, line, run?.style ?? 0);
    }
  }
  if (cells.length > 0) rows.push(cells);
  out.table(rows);
  out.paragraph(withoutFields(text.slice(from)));
}

/** The first nine styles are the headings, in every language. */
function writeParagraph(out: Writer, line: string, style: number): void {
  if (style >= 1 && style <= 9) out.heading(style, line);
  else out.paragraph(line);
}

/** The one that contains the place; they follow each other. */
function findSpan<T extends { readonly start: number; readonly end: number }>(
  spans: readonly T[],
  place: number,
): T | undefined {
  let low = 0;
  let high = spans.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const span = spans[middle] as T;
    if (place < span.start) high = middle - 1;
    else if (place >= span.end) low = middle + 1;
    else return span;
  }
  return undefined;
}

/** Of a field, the result is shown and the instruction is not; other control characters stand for objects. */
function withoutFields(text: string): string {
  const isInstruction: boolean[] = [];
  let instructions = 0;
  let shown = "";
  for (const character of text) {
    if (character === FIELD.start) {
      isInstruction.push(true);
      instructions += 1;
    } else if (character === FIELD.result && isInstruction.at(-1) === true) {
      isInstruction.splice(-1, 1, false);
      instructions -= 1;
    } else if (character === FIELD.end) {
      if (isInstruction.pop() === true) instructions -= 1;
    } else if (instructions === 0) shown += SHOWN.get(character) ?? character;
  }
  return shown;
}
