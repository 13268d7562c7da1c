// Paragraphs → lines that fit a width.
import { widthOf } from "./measure.ts";
import type { ParagraphStyle, RunStyle } from "./styles.ts";

interface Run {
  readonly text: string;
  readonly style: RunStyle;
}

export interface Paragraph {
  readonly runs: readonly Run[];
  readonly style: ParagraphStyle;
  /** Its bullet or number. */
  readonly mark: string;
  /** The font size of a paragraph without runs. */
  readonly size: number;
}

export interface Piece extends Run {
  readonly width: number;
}

export interface Line {
  readonly pieces: readonly Piece[];
  readonly width: number;
  /** The size of the largest font. */
  readonly size: number;
  /** Where it begins. */
  readonly left: number;
  readonly mark: string;
  readonly paragraph: Paragraph;
  readonly isFirst: boolean;
}

export const MAX_LINES = 2_000;
// Words, spaces, and characters that a line may break between; punctuation stays with the character before it.
const TOKEN =
  /\n|[^\S\n]+|[^\s\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]+|[\s\S][、。，．」』）！？ー]*/gu;

interface Open {
  pieces: Piece[];
  width: number;
}

/** `scale` shrinks everything. */
export function toLines(paragraph: Paragraph, width: number, scale: number): readonly Line[] {
  const { style, size } = paragraph;
  const lines: Line[] = [];
  let open: Open = { pieces: [], width: 0 };
  const leftOf = () => Math.max(0, style.left + (lines.length === 0 ? firstOf(paragraph) : 0));
  const end = () => {
    const sizes = open.pieces.map((piece) => piece.style.size);
    const isFirst = lines.length === 0;
    lines.push({
      pieces: open.pieces,
      width: open.width,
      size: sizes.length === 0 ? size * scale : Math.max(...sizes),
      left: leftOf(),
      mark: isFirst ? paragraph.mark : "",
      paragraph,
      isFirst,
    });
    open = { pieces: [], width: 0 };
  };
  for (const piece of tokens(paragraph.runs, scale)) {
    if (lines.length >= MAX_LINES) return lines;
    if (piece.text === "\n") {
      end();
      continue;
    }
    const isSpace = piece.text.trim() === "";
    if (open.width > 0 && !isSpace && leftOf() + open.width + piece.width > width + 0.5) end();
    if (isSpace && open.width === 0 && lines.length > 0) continue;
    open.pieces.push(piece);
    open.width += piece.width;
  }
  end();
  return lines;
}

/** A marker hangs in front of its paragraph; without one the first line may be indented. */
function firstOf({ style, mark }: Paragraph): number {
  return mark === "" ? style.first : Math.max(0, style.first);
}

function* tokens(runs: readonly Run[], scale: number): Generator<Piece> {
  for (const { text, style } of runs) {
    const scaled = scale === 1 ? style : { ...style, size: style.size * scale };
    for (const [token] of text.replaceAll("\t", "    ").matchAll(TOKEN)) {
      yield { text: token, style: scaled, width: token === "\n" ? 0 : widthOf(token, scaled) };
    }
  }
}

/** Joins neighbours that look alike. */
export function joined(pieces: readonly Piece[]): readonly Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (last && last.style === piece.style)
      out[out.length - 1] = {
        ...last,
        text: last.text + piece.text,
        width: last.width + piece.width,
      };
    else out.push(piece);
  }
  return out;
}
