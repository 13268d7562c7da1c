// Collects lines of letters of any size from anywhere on the picture and puts them below each other on one white sheet,
// at the height that OCR reads best. The words read there get their places on the picture back.
//
//   picture: [RPO]──▶ ◀──[RTO]     sheet:  RPO
//                [災害]                     RTO
//                                          災害
import type { Box } from "../../../box.ts";
import { type Pixels, sample } from "../../pixels/png.ts";
import { wordsOf } from "../boxes.ts";
import type { OcrWord } from "../layout/word.ts";
import type { TextLine } from "./text-lines.ts";

const WHITE = 255;
// Tesseract takes larger or bolder strokes for the raster of a photograph and skips them.
const HEIGHT = 26;
const THINNING = 0.6;
const MARGIN = 12;
const ROW = HEIGHT + 2 * MARGIN;
// Single characters share a row, spaced like words, because on their own they are taken for specks.
const GAP = 0.4 * HEIGHT;
const NARROW = 1.2;
const ROW_WIDTH = 900;
const WIDEST = 3_000;
const MAX_SCALE = 5;
const MAX_LINES = 400;

export interface Sheet {
  readonly pixels: Pixels;
  /** Returns a phrase's words at their places on the picture. */
  place(phrase: OcrWord): readonly OcrWord[];
}

interface Cell {
  /** The line's box on the picture, with a small margin. */
  readonly from: Box;
  readonly scale: number;
  /** The position on the sheet. */
  readonly left: number;
  readonly top: number;
  /** The number of patches of ink; for digits and capitals, the number of characters. */
  readonly letters: number;
}

export function sheetOf(ink: Pixels, lines: readonly TextLine[]): Sheet {
  const shown = lines
    .toSorted((a, b) => Number(isNarrow(a)) - Number(isNarrow(b)) || a.y - b.y || a.x - b.x)
    .slice(0, MAX_LINES);
  const cells = laidOut(shown, ink);
  const width = Math.ceil(Math.max(...cells.map(rightOf))) + MARGIN;
  const height = Math.max(...cells.map(({ top }) => top)) + ROW;
  const data = new Uint8Array(width * height).fill(WHITE);
  const pixels = { width, height, channels: 1, data };
  for (const cell of cells) paste(ink, cell, pixels);
  return { pixels, place: (phrase) => placed(phrase, cells) };
}

function rightOf({ left, from, scale }: Cell): number {
  return left + from.width * scale;
}

export function isNarrow({ width, height }: Box): boolean {
  return width < height * NARROW;
}

function laidOut(lines: readonly TextLine[], ink: Pixels): readonly Cell[] {
  const cells: Cell[] = [];
  for (const [at, line] of lines.entries()) {
    const from = around(line, ink);
    const letters = line.patches.length;
    const scale = Math.min(HEIGHT / line.height, MAX_SCALE, WIDEST / from.width);
    const before = cells.at(-1);
    const top = before?.top ?? 0;
    const left = before === undefined ? MARGIN : rightOf(before) + GAP;
    const areNarrow = lines.slice(Math.max(0, at - 1), at + 1).every(isNarrow);
    const shares = areNarrow && left + from.width * scale <= ROW_WIDTH;
    if (before === undefined || shares) cells.push({ from, scale, left, top, letters });
    else cells.push({ from, scale, left: MARGIN, top: top + ROW, letters });
  }
  return cells;
}

/** Adds a fifth above and below, because dots and accents are separate patches. */
function around({ x, y, width, height }: TextLine, ink: Pixels): Box {
  const more = Math.ceil(height * 0.2);
  const top = Math.max(0, y - more);
  const left = Math.max(0, x - 2);
  return {
    x: left,
    y: top,
    width: Math.min(ink.width, x + width + 2) - left,
    height: Math.min(ink.height, y + height + more) - top,
  };
}

function paste(ink: Pixels, cell: Cell, sheet: Pixels): void {
  const { from, scale } = cell;
  const left = Math.floor(cell.left);
  const { above, down } = within(cell);
  for (let y = 0; y < down; y += 1)
    for (let x = 0; x < Math.floor(from.width * scale); x += 1)
      sheet.data[(above + y) * sheet.width + left + x] = thinned(
        sample(ink, from.x + (x + 0.5) / scale - 0.5, from.y + (y + 0.5) / scale - 0.5),
      );
}

function thinned(value: number): number {
  return WHITE * (value / WHITE) ** THINNING;
}

/** The rows of the sheet that a cell covers, in the middle of its row. */
function within({ from, scale, top }: Cell) {
  const down = Math.min(ROW, Math.floor(from.height * scale));
  return { down, above: top + Math.floor((ROW - down) / 2) };
}

/** A phrase that covers several lines is split. */
function placed(phrase: OcrWord, cells: readonly Cell[]): readonly OcrWord[] {
  const level = phrase.y + phrase.height / 2;
  const inRow = cells.filter(({ top }) => level >= top && level < top + ROW);
  const cellOf = (x: number) => inRow.findLast(({ left }) => left <= x) ?? inRow[0];
  const held = (word: OcrWord) => {
    const [first, last] = [cellOf(word.x + MARGIN), cellOf(word.x + word.width - MARGIN)];
    return first === last
      ? []
      : inRow.slice(inRow.indexOf(first as Cell), inRow.indexOf(last as Cell) + 1);
  };
  const words = held(phrase).length === 0 ? [phrase] : wordsOf(phrase);
  return words.flatMap((word) => {
    const over = held(word);
    if (over.length > 0) return shared(word, over);
    const cell = cellOf(word.x + word.width / 2);
    return cell === undefined ? [] : [onPicture(word, cell)];
  });
}

/**
 * "514" over three cells is 5, 1 and 4. If the number of letters differs, it is unknown which
 * belongs where.
 */
function shared(word: OcrWord, cells: readonly Cell[]): readonly OcrWord[] {
  const letters = [...word.text];
  if (cells.reduce((sum, cell) => sum + cell.letters, 0) !== letters.length) return [];
  let at = 0;
  return cells.map((cell) => {
    const text = letters.slice(at, at + cell.letters).join("");
    at += cell.letters;
    const { left, from, scale } = cell;
    return onPicture({ ...word, text, x: left, width: from.width * scale }, cell);
  });
}

function onPicture(word: OcrWord, cell: Cell): OcrWord {
  const { from, scale, left } = cell;
  return {
    ...word,
    x: from.x + (word.x - left) / scale,
    y: from.y + (word.y - within(cell).above) / scale,
    width: word.width / scale,
    height: word.height / scale,
  };
}
