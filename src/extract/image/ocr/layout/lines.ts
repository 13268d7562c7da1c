// Words found on a picture, in the order of OCR → lines and paragraphs.
import { isInColumns, readingOrder } from "./columns.ts";
import { toRows } from "./rows.ts";
import { findTables } from "./tables.ts";
import { areWide, median, type OcrWord, unspaced } from "./word.ts";

/** The content of a picture, in reading order. */
export type OcrPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] };

interface Line {
  text: string;
  top: number;
  bottom: number;
  right: number;
  /** Where the line's last word begins. */
  last: number;
  /** Words are far apart, as in a row of a table or a form. */
  gapped: boolean;
  readonly left: number;
}

// Below this confidence a "word" is usually a stain, a frame or a logo.
const MIN_CONFIDENCE = 0.25;
// Ratio of width to height: lines of newspaper columns are above it, labels and addresses below.
const NARROWEST_PROSE = 12;
const ITEM = /^(?:[-•*+·‣▪●○※]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s/;

export function toPieces(words: readonly OcrWord[]): readonly OcrPiece[] {
  const kept = words.filter(isPlausible);
  const rows = toRows(kept);
  const tables = isInColumns(rows) ? [] : findTables(rows);
  if (tables.length === 0) return toTexts(kept);
  const pieces: OcrPiece[] = [];
  let done = 0;
  for (const { from, to, cells } of tables) {
    pieces.push(...toTexts(rows.slice(done, from).flatMap((row) => row.words)));
    pieces.push({ kind: "table", rows: cells });
    done = to;
  }
  return [...pieces, ...toTexts(rows.slice(done).flatMap((row) => row.words))];
}

function toTexts(words: readonly OcrWord[]): readonly OcrPiece[] {
  return toParagraphs(words).map((text) => ({ kind: "text", text }));
}

function toParagraphs(words: readonly OcrWord[]): readonly string[] {
  const lines = toLines(readingOrder(words).map(unspaced));
  const pitch = usualPitch(lines);
  const paragraphs: Line[][] = [];
  for (const line of lines) {
    const open = paragraphs.at(-1);
    const above = open?.at(-1);
    if (open !== undefined && above !== undefined && continues(above, line, pitch)) open.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs.map((paragraph) => flow(paragraph)).filter((text) => text !== "");
}

function isPlausible({ text, confidence }: OcrWord): boolean {
  // Uncertain dates and numbers are kept, because losing one is worse than a wrong character.
  if (confidence < MIN_CONFIDENCE) return /\d.*\d|\p{L}{4}/u.test(text);
  return confidence >= 0.5 || /[\p{L}\p{N}]/u.test(text);
}

function toLines(words: readonly OcrWord[]): readonly Line[] {
  const lines: Line[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && sameLine(line, word)) {
      line.text = join(line, word);
      line.top = Math.min(line.top, word.y);
      line.bottom = Math.max(line.bottom, word.y + word.height);
      line.gapped ||= word.x - line.right > word.height * 2;
      line.right = Math.max(line.right, word.x + word.width);
      line.last = word.x;
    } else {
      lines.push({
        text: word.text,
        gapped: false,
        left: word.x,
        last: word.x,
        right: word.x + word.width,
        top: word.y,
        bottom: word.y + word.height,
      });
    }
  }
  return lines;
}

function sameLine(line: Line, word: OcrWord): boolean {
  const overlap = Math.min(line.bottom, word.y + word.height) - Math.max(line.top, word.y);
  const height = Math.min(line.bottom - line.top, word.height);
  // OCR's boxes may overlap their neighbours, so the order is decided by where words begin.
  return overlap > height * 0.3 && word.x >= Math.min(line.right - word.height, line.last);
}

/** OCR puts spaces between most ideographs, which have none in the text. */
function join(line: Line, word: OcrWord): string {
  const gap = word.x - line.right;
  const isNear = areWide(line.text, word.text) && gap < word.height * 1.5;
  return isNear ? line.text + word.text : `${line.text} ${word.text}`;
}

/** The usual distance between the tops of two lines; a clearly larger one separates paragraphs. */
function usualPitch(lines: readonly Line[]): number {
  const pitches: number[] = [];
  for (const [at, line] of lines.entries()) {
    const above = lines[at - 1];
    const pitch = above === undefined ? 0 : line.bottom - above.bottom;
    if (above !== undefined && pitch > 0 && pitch < (above.bottom - above.top) * 3)
      pitches.push(pitch);
  }
  return median(pitches);
}

function continues(above: Line, line: Line, pitch: number): boolean {
  const height = Math.max(above.bottom - above.top, line.bottom - line.top);
  const gap = line.top - above.bottom;
  const near = gap < height * 0.9 || line.bottom - above.bottom < pitch * 1.25;
  const alike = Math.min(above.bottom - above.top, line.bottom - line.top) > height * 0.55;
  return near && alike && gap > -height * 0.5 && line.left < above.right && line.right > above.left;
}

/**
 * Lines that fill the paragraph's width are joined with the next; rows, list items and addresses
 * stay lines.
 */
function flow(lines: readonly Line[]): string {
  const right = Math.max(...lines.map((line) => line.right));
  const left = Math.min(...lines.map((line) => line.left));
  const parts: string[][] = [];
  let runsOn = false;
  for (const line of lines) {
    const open = parts.at(-1);
    if (open !== undefined && runsOn && !line.gapped && !ITEM.test(line.text)) open.push(line.text);
    else parts.push([line.text]);
    const wide = (line.right - line.left) / (line.bottom - line.top) > NARROWEST_PROSE;
    runsOn = wide && !line.gapped && right - line.right < (right - left) * 0.12;
  }
  return parts.map(joinLines).join("\n");
}

function joinLines(lines: readonly string[]): string {
  let text = "";
  for (const line of lines) {
    if (text === "") text = line;
    else if (/\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(line)) text = text.slice(0, -1) + line;
    else if (areWide(text, line)) text += line;
    else text += ` ${line}`;
  }
  return text;
}

// Words of a page with vertical lines → its text, the rightmost line first.

// A phrase wider than this many lines was joined across lines.
const WIDE = 1.6;

/** All lines form one paragraph, because line ends alone do not show where a paragraph ends. */
export function toVerticalParagraphs(words: readonly OcrWord[]): readonly string[] {
  const kept = words.filter(isPlausible);
  const usual = median(kept.map((word) => word.width));
  const rows = toRows(kept.flatMap((word) => byLine(word, usual)).map(onItsSide));
  const text = rows.flatMap((row) => row.words.map((word) => word.text)).join("");
  return text === "" ? [] : [text.replaceAll(" ", "")];
}

/** OCR joins words that are side by side, but here those are in different lines. */
function byLine(phrase: OcrWord, usual: number): readonly OcrWord[] {
  const parts = phrase.text.split(" ");
  if (parts.length === 1 || phrase.width < usual * WIDE) return [phrase];
  const step = (phrase.width - usual) / (parts.length - 1);
  return parts.map((text, at) => ({ ...phrase, text, x: phrase.x + at * step, width: usual }));
}

/** Rotates the word's box, so that lines run from left to right and the first is at the top. */
function onItsSide(word: OcrWord): OcrWord {
  return {
    ...word,
    x: word.y,
    y: -(word.x + word.width),
    width: word.height,
    height: word.width,
  };
}
