// Paragraphs in a box: cut into lines, drawn, and noted word by word.
import { type Box, type Canvas, colourValues, type Values } from "../drawing/canvas.ts";
import { joined, type Line, MAX_LINES, type Paragraph, type Piece, toLines } from "./lines.ts";
import { widthOf } from "./measure.ts";
import type { RunStyle } from "./styles.ts";

export interface TextLayout {
  readonly paragraphs: readonly Paragraph[];
  /** The area inside the margins. */
  readonly area: Box;
  readonly wraps: boolean;
  /** "t", "ctr" or "b". */
  readonly anchor: string;
  /** If text shrinks to fit its box, the scale already applied (1 for none). */
  readonly shrunk: number | undefined;
  /** Converts the box's coordinates to the slide's. */
  readonly toSlide: (box: Box) => Box;
}

const LINE = 1.2;
const ASCENT = 0.93;
const SMALLEST = 0.4;
// Sizes are estimated without the font, so a small excess does not count as overflow.
const ROOM = 1.04;
const ENDLESS = 1e6;

export function drawParagraphs(canvas: Canvas, layout: TextLayout): void {
  const { paragraphs, area, anchor } = layout;
  if (paragraphs.every(({ runs }) => runs.length === 0)) return;
  const { lines, scale } = fitted(layout);
  const height = lines.reduce((sum, line) => sum + heightOf(line, scale), 0);
  const free = area.height - height;
  const share = { ctr: 0.5, b: 1 }[anchor] ?? 0;
  let y = area.y + (free > 0 || anchor === "ctr" ? free * share : 0);
  for (const line of lines) {
    y += line.isFirst ? line.paragraph.style.before * scale : 0;
    drawLine(canvas, { line, y, area, toSlide: layout.toSlide });
    y += lineHeight(line) + (isLast(line, lines) ? line.paragraph.style.after * scale : 0);
  }
}

export function heightOfParagraphs(layout: TextLayout): number {
  const { lines, scale } = fitted(layout);
  return lines.reduce((sum, line) => sum + heightOf(line, scale), 0);
}

function isLast(line: Line, lines: readonly Line[]): boolean {
  return lines[lines.indexOf(line) + 1]?.paragraph !== line.paragraph;
}

function lineHeight({ size, paragraph }: Line): number {
  return size * LINE * paragraph.style.spacing;
}

function heightOf(line: Line, scale: number): number {
  const { before, after } = line.paragraph.style;
  return lineHeight(line) + (line.isFirst ? (before + after) * scale : 0);
}

/** Scales as the file says, and further if the text must fit the box. */
function fitted({ paragraphs, area, wraps, shrunk }: TextLayout) {
  const width = wraps ? area.width : ENDLESS;
  const said = shrunk ?? 1;
  let scale = said >= SMALLEST && said <= 1 ? said : 1;
  for (;;) {
    const lines = paragraphs
      .flatMap((paragraph) => toLines(paragraph, width, scale))
      .slice(0, MAX_LINES);
    const height = lines.reduce((sum, line) => sum + heightOf(line, scale), 0);
    if (shrunk === undefined || height <= area.height * ROOM || scale <= SMALLEST)
      return { lines, scale };
    scale *= 0.94;
  }
}

interface LinePlace {
  readonly line: Line;
  readonly y: number;
  readonly area: Box;
  readonly toSlide: TextLayout["toSlide"];
}

function drawLine(canvas: Canvas, { line, y, area, toSlide }: LinePlace): void {
  const { align, left, first } = line.paragraph.style;
  const base = y + line.size * ASCENT + (lineHeight(line) - line.size * LINE) / 2;
  const free = area.width - line.left - line.width;
  const shift = { l: 0, ctr: free / 2, r: free }[align];
  let x = area.x + line.left + shift;
  const opening = line.pieces[0];
  if (line.mark !== "" && opening !== undefined) {
    const at = align === "l" ? area.x + left + Math.min(0, first) : x - line.size;
    canvas.write({ ...styleValues(opening.style), x: at, y: base }, line.mark);
  }
  for (const piece of joined(line.pieces)) {
    if (piece.text.trim() !== "") {
      canvas.write(
        {
          ...styleValues(piece.style),
          x,
          y: base,
          textLength: piece.width,
          lengthAdjust: "spacingAndGlyphs",
          "xml:space": "preserve",
        },
        piece.text,
      );
      noteWords(canvas, piece, { x, y: base, toSlide });
    }
    x += piece.width;
  }
}

function noteWords(
  canvas: Canvas,
  { text, style }: Piece,
  { x, y, toSlide }: Pick<TextLayout, "toSlide"> & { readonly x: number; readonly y: number },
): void {
  const height = style.size * LINE;
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const before = widthOf(text.slice(0, index), style);
    const box = { x: x + before, y: y - style.size * ASCENT, width: widthOf(word, style), height };
    canvas.words.push({ text: word, ...toSlide(box) });
  }
}

const FALLBACK =
  "Carlito, Arial, 'Noto Sans', 'Hiragino Sans', 'Yu Gothic', 'Noto Sans CJK JP', sans-serif";
const SERIF = /times|garamond|cambria|georgia|serif|mincho|明朝/i;

function styleValues({ size, bold, italic, underlined, colour, family }: RunStyle): Values {
  const isNamed = /^[\p{L}\p{N} -]{1,60}$/u.test(family);
  const named = isNamed ? `'${family}', ` : "";
  return {
    "font-size": size,
    "font-family": SERIF.test(family) ? `${named}serif` : `${named}${FALLBACK}`,
    ...(bold && { "font-weight": "bold" }),
    ...(italic && { "font-style": "italic" }),
    ...(underlined && { "text-decoration": "underline" }),
    ...colourValues("fill", colour),
  };
}
