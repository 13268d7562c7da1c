// Words found on a picture, in the order of recognition → lines and paragraphs.
import { readingOrder } from "./ocr-columns.ts";
import { isWide } from "./wide.ts";

export interface OcrWord {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** 0 to 1. */
  readonly confidence: number;
}

interface Line {
  text: string;
  top: number;
  bottom: number;
  right: number;
  readonly left: number;
}

// Below LEAST_CONFIDENCE a "word" is a stain, a frame or a logo more often than text.
// Newspaper columns are this wide; receipts and forms are not.
const SHORTEST_PROSE = 28;
const LEAST_CONFIDENCE = 0.25;

export function toParagraphs(words: readonly OcrWord[]): readonly string[] {
  const lines = toLines(readingOrder(words.filter(isPlausible).map(unspaced)));
  const paragraphs: Line[][] = [];
  for (const line of lines) {
    const open = paragraphs.at(-1);
    const above = open?.at(-1);
    if (open !== undefined && above !== undefined && continues(above, line)) open.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs
    .map((paragraph) => flow(paragraph.map((line) => line.text)))
    .filter((text) => text !== "");
}

function unspaced(word: OcrWord): OcrWord {
  return { ...word, text: word.text.replace(/(?<=[\u3005-\u9fff]) (?=[\u3005-\u9fff])/g, "") };
}

function isPlausible({ text, confidence }: OcrWord): boolean {
  // A doubted date or number is worth more than a clean page.
  if (confidence < LEAST_CONFIDENCE) return /\d.*\d|\p{L}{4}/u.test(text);
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
      line.right = word.x + word.width;
    } else {
      lines.push({
        text: word.text,
        left: word.x,
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
  return overlap > height * 0.5 && word.x >= line.right - word.height;
}

/** Ideographs stand without spaces; recognition puts one between almost any two. */
function join(line: Line, word: OcrWord): string {
  const wide =
    isWide(line.text.charCodeAt(line.text.length - 1)) && isWide(word.text.charCodeAt(0));
  const gap = word.x - line.right;
  return wide && gap < word.height * 1.5 ? line.text + word.text : `${line.text} ${word.text}`;
}

function continues(above: Line, line: Line): boolean {
  const height = Math.max(above.bottom - above.top, line.bottom - line.top);
  const gap = line.top - above.bottom;
  return (
    gap < height * 0.9 && gap > -height * 0.5 && line.left < above.right && line.right > above.left
  );
}

/** Prose is set anew as one line, hyphens at line ends undone; short lines stay as they are. */
function flow(lines: readonly string[]): string {
  const widths = lines.map((line) => (isWide(line.charCodeAt(0)) ? line.length * 2 : line.length));
  const middle = [...widths].sort((a, b) => a - b)[Math.floor(widths.length / 2)] ?? 0;
  return lines.length >= 3 && middle >= SHORTEST_PROSE ? joinLines(lines) : lines.join("\n");
}

export function joinLines(lines: readonly string[]): string {
  let text = "";
  for (const line of lines) {
    if (text === "") text = line;
    else if (/\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(line)) text = text.slice(0, -1) + line;
    else if (isWide(text.charCodeAt(text.length - 1)) && isWide(line.charCodeAt(0))) text += line;
    else text += ` ${line}`;
  }
  return text;
}
