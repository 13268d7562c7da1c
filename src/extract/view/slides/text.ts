// Text in a box: paragraphs are cut into lines and placed. Widths are estimated, because the fonts are not here.
import { UNSPACED } from "../../../text/scripts.ts";
import type { Box } from "../../box.ts";
import type { Colour } from "./canvas.ts";

export interface TextStyle {
  /** In points. */
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underlined: boolean;
  readonly colour: Colour;
  readonly family: string;
}

interface Run {
  readonly text: string;
  readonly style: TextStyle;
}

export interface Paragraph {
  readonly runs: readonly Run[];
  /** Its bullet or number. */
  readonly mark: string;
  /** The font size of a paragraph without runs. */
  readonly size: number;
  readonly align: "l" | "ctr" | "r";
  /** Where lines begin, and the extra indent of the first one; in points. */
  readonly left: number;
  readonly first: number;
  readonly before: number;
  readonly after: number;
  /** The line height, relative to the normal one. */
  readonly spacing: number;
}

export interface TextBox {
  readonly paragraphs: readonly Paragraph[];
  /** The area inside the margins. */
  readonly area: Box;
  readonly wraps: boolean;
  readonly anchor: "t" | "ctr" | "b";
  /** If text shrinks to fit its box, the scale already applied (1 for none). */
  readonly shrunk: number | undefined;
}

export interface PlacedText extends Run {
  readonly x: number;
  /** The baseline. */
  readonly y: number;
  /** A paragraph's mark has none. */
  readonly width: number | undefined;
}

interface Piece extends Run {
  readonly width: number;
}

interface Line {
  readonly pieces: readonly Piece[];
  readonly paragraph: Paragraph;
  readonly isFirst: boolean;
  /** The size of the largest font. */
  readonly size: number;
  readonly before: number;
  readonly height: number;
  readonly after: number;
}

/** Relative to the font's size. */
export const LINE_HEIGHT = 1.2;
export const ASCENT = 0.93;
const MIN_SCALE = 0.4;
// Sizes are estimated without the font, so a small excess does not count as overflow.
const ROOM = 1.04;
const MAX_LINES = 2_000;
// Words, spaces, and characters that a line may break between; punctuation stays with the character before it.
const TOKEN =
  /\n|[^\S\n]+|[^\s\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]+|[\s\S][、。，．」』）！？ー]*/gu;

export function placeText(box: TextBox): readonly PlacedText[] {
  const { area, anchor } = box;
  const lines = fittedLines(box);
  const free = area.height - heightOf(lines);
  const share = { t: 0, ctr: 0.5, b: 1 }[anchor];
  let y = area.y + (free > 0 || anchor === "ctr" ? free * share : 0);
  return lines.flatMap((line) => {
    const top = y + line.before;
    y = top + line.height + line.after;
    return placeLine(line, top, area);
  });
}

/** The height that the text needs within its width. */
export function textHeight(box: TextBox): number {
  return heightOf(fittedLines(box));
}

function heightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { before, height, after }) => sum + before + height + after, 0);
}

/** Scales as the file says, and further if the text must fit the box. */
function fittedLines({ paragraphs, area, wraps, shrunk }: TextBox): readonly Line[] {
  const width = wraps ? area.width : Number.POSITIVE_INFINITY;
  const given = shrunk ?? 1;
  let scale = given >= MIN_SCALE && given <= 1 ? given : 1;
  for (;;) {
    const lines = paragraphs
      .flatMap((paragraph) => toLines(paragraph, width, scale))
      .slice(0, MAX_LINES);
    if (shrunk === undefined || heightOf(lines) <= area.height * ROOM || scale <= MIN_SCALE)
      return lines;
    scale *= 0.94;
  }
}

function toLines(paragraph: Paragraph, width: number, scale: number): readonly Line[] {
  const rows: Piece[][] = [[]];
  let end = leftOf(paragraph, true);
  for (const piece of pieces(paragraph.runs, scale)) {
    const row = rows.at(-1) ?? [];
    const isSpace = piece.text.trim() === "";
    const isFull = row.length > 0 && !isSpace && end + piece.width > width + 0.5;
    if (piece.text === "\n" || isFull) {
      if (rows.length >= MAX_LINES) break;
      rows.push([]);
      end = leftOf(paragraph, false);
    }
    if (piece.text === "\n" || (isSpace && row.length === 0 && rows.length > 1)) continue;
    append(rows.at(-1) ?? [], piece);
    end += piece.width;
  }
  return rows.map((row, at) => {
    const size = Math.max(...row.map(({ style }) => style.size), 0) || paragraph.size * scale;
    return {
      pieces: row,
      paragraph,
      isFirst: at === 0,
      size,
      before: at === 0 ? paragraph.before * scale : 0,
      height: size * LINE_HEIGHT * paragraph.spacing,
      after: at === rows.length - 1 ? paragraph.after * scale : 0,
    };
  });
}

/** Joins the piece with its neighbour if they look alike. */
function append(row: Piece[], piece: Piece): void {
  const last = row.at(-1);
  if (last?.style !== piece.style) row.push(piece);
  else {
    const { text, width } = last;
    row.splice(-1, 1, { ...piece, text: text + piece.text, width: width + piece.width });
  }
}

/** A marker hangs in front of its paragraph; without one the first line may be indented. */
function leftOf({ left, first, mark }: Paragraph, isFirst: boolean): number {
  const indent = mark === "" ? first : Math.max(0, first);
  return Math.max(0, left + (isFirst ? indent : 0));
}

function* pieces(runs: readonly Run[], scale: number): Generator<Piece> {
  for (const { text, style } of runs) {
    const fitted = scale === 1 ? style : { ...style, size: style.size * scale };
    for (const [token] of text.replaceAll("\t", "    ").matchAll(TOKEN))
      yield { text: token, style: fitted, width: token === "\n" ? 0 : widthOf(token, fitted) };
  }
}

function placeLine(line: Line, top: number, area: Box): readonly PlacedText[] {
  const { paragraph, size, height } = line;
  const { align, left, first, mark } = paragraph;
  const y = top + size * ASCENT + (height - size * LINE_HEIGHT) / 2;
  const width = line.pieces.reduce((sum, piece) => sum + piece.width, 0);
  const indent = leftOf(paragraph, line.isFirst);
  const share = { l: 0, ctr: 0.5, r: 1 }[align];
  let x = area.x + indent + (area.width - indent - width) * share;
  const placed: PlacedText[] = [];
  const opening = line.pieces[0];
  if (line.isFirst && mark !== "" && opening !== undefined) {
    const at = align === "l" ? area.x + left + Math.min(0, first) : x - size;
    placed.push({ text: mark, style: opening.style, x: at, y, width: undefined });
  }
  for (const piece of line.pieces) {
    placed.push({ ...piece, x, y });
    x += piece.width;
  }
  return placed;
}

// The widths of a common sans serif in hundredths of the font's size, from the space to the tilde.
const WIDTHS = [
  28, 28, 36, 56, 56, 89, 67, 19, 33, 33, 39, 58, 28, 33, 28, 28, 56, 56, 56, 56, 56, 56, 56, 56,
  56, 56, 28, 28, 58, 58, 58, 56, 102, 67, 67, 72, 72, 67, 61, 78, 72, 28, 50, 67, 56, 83, 72, 78,
  67, 78, 72, 67, 61, 72, 67, 94, 67, 67, 61, 28, 28, 28, 47, 56, 33, 56, 56, 50, 56, 56, 28, 56,
  56, 22, 22, 50, 22, 83, 56, 56, 56, 56, 33, 50, 28, 56, 50, 72, 50, 50, 50, 33, 26, 33, 58,
];
const OTHER_WIDTH = 58;
const WIDE = new RegExp(`[${UNSPACED}\\u3000-\\u303f\\uff01-\\uff60\\uac00-\\ud7af]`, "u");
const FAMILIES: readonly (readonly [RegExp, number])[] = [
  [/narrow|condensed/i, 0.82],
  [/calibri|carlito|candara|corbel|gill/i, 0.91],
  [/times|garamond|cambria|georgia|serif/i, 0.94],
  [/verdana|tahoma|segoe|century gothic/i, 1.08],
];
const BOLDER = 1.06;

export function widthOf(
  text: string,
  { size, bold, family }: Pick<TextStyle, "size" | "bold" | "family">,
): number {
  const factor = (FAMILIES.find(([name]) => name.test(family))?.[1] ?? 1) * (bold ? BOLDER : 1);
  let hundredths = 0;
  for (const character of text) {
    const known = WIDTHS[(character.codePointAt(0) ?? 0) - 32] ?? OTHER_WIDTH;
    hundredths += WIDE.test(character) ? 100 : known * factor;
  }
  return (hundredths / 100) * size;
}
