// Finds the boxes of a text's words on a page. The text was read from the same page, but in another order and with
// other marks, so only letters are compared, and runs of them are searched one after the other.
import { toHighlighter } from "./highlights.ts";

/** Left, top, width and height in ten-thousandths of the page. */
export type PageWord = readonly [text: string, x: number, y: number, width: number, height: number];

/** In ten-thousandths of the page. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A letter of the page, as the part of its word from one fraction to another. */
interface Letter {
  readonly word: PageWord;
  readonly from: number;
  readonly to: number;
}

// Shorter runs match anywhere by chance; an ideograph carries more information than a letter.
const RUN = 12;
const RUN_WIDE = 5;
const WIDE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** Finds the text on the page. */
export function boxesOfText(words: readonly PageWord[], text: string): readonly Box[] {
  const letters = words.flatMap(lettersOf);
  const page = words.map(([shown]) => plain(shown)).join("");
  return joinLines(
    runsOf(page, plain(text)).flatMap(([start, end]) => boxesOf(letters.slice(start, end))),
  );
}

/** Finds the query's words on the page. */
export function boxesOfQuery(words: readonly PageWord[], query: string): readonly Box[] {
  const find = toHighlighter(query);
  return words.flatMap((word) =>
    find(word[0]).map(({ start, end }) =>
      partOf(word, start / word[0].length, end / word[0].length),
    ),
  );
}

/** Its letters and digits, which are the same however the text was read. */
export function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

function lettersOf(word: PageWord): readonly Letter[] {
  const { length } = plain(word[0]);
  return Array.from({ length }, (_, at) => ({ word, from: at / length, to: (at + 1) / length }));
}

/** Splits the wanted letters into the longest runs that the page contains. */
function runsOf(page: string, wanted: string): readonly (readonly [number, number])[] {
  const shortest = Math.max(1, Math.min(WIDE.test(wanted) ? RUN_WIDE : RUN, wanted.length));
  const runs: [number, number][] = [];
  let last = 0;
  for (let at = 0; at + shortest <= wanted.length; ) {
    const seed = wanted.slice(at, at + shortest);
    const ahead = page.indexOf(seed, last);
    const found = ahead === -1 ? page.indexOf(seed) : ahead;
    if (found === -1) {
      at += 1;
      continue;
    }
    let length = shortest;
    while (at + length < wanted.length && page[found + length] === wanted[at + length]) length += 1;
    runs.push([found, found + length]);
    last = found + length;
    at += length;
  }
  return runs;
}

/** One box for the letters of each word. */
function boxesOf(letters: readonly Letter[]): readonly Box[] {
  const firsts = letters.filter(({ word }, at) => word !== letters[at - 1]?.word);
  return firsts.map(({ word, from }) => {
    const last = letters.findLast((letter) => letter.word === word);
    return partOf(word, from, last?.to ?? 1);
  });
}

/** Assumes that letters are equally wide; a word that is much taller than wide runs from top to bottom. */
function partOf([text, x, y, width, height]: PageWord, from: number, to: number): Box {
  const part = to - from;
  const isVertical = height > width * 1.5 && text.length > 1;
  return isVertical
    ? { x, y: Math.round(y + height * from), width, height: Math.round(height * part) }
    : { x: Math.round(x + width * from), y, width: Math.round(width * part), height };
}

/** Joins the words of a line into one box, so that the whole line is marked. */
function joinLines(boxes: readonly Box[]): readonly Box[] {
  const joined: Box[] = [];
  for (const box of boxes) {
    const last = joined.at(-1);
    if (last && isNext(last, box)) joined[joined.length - 1] = union(last, box);
    else joined.push(box);
  }
  return joined;
}

function isNext(last: Box, box: Box): boolean {
  const overlap = Math.min(last.y + last.height, box.y + box.height) - Math.max(last.y, box.y);
  const gap = box.x - (last.x + last.width);
  const height = Math.max(last.height, box.height);
  return overlap > Math.min(last.height, box.height) * 0.6 && gap > -height && gap < height * 1.5;
}

function union(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** Joins the lines of a paragraph into one box, so that it gets one frame. */
export function joinParagraphs(lines: readonly Box[]): readonly Box[] {
  const joined: Box[] = [];
  for (const line of lines) {
    const last = joined.findIndex((box) => isBelow(box, line));
    const above = joined[last];
    if (above) joined[last] = union(above, line);
    else joined.push(line);
  }
  return joined;
}

function isBelow(box: Box, line: Box): boolean {
  const gap = line.y - (box.y + box.height);
  const overlap = Math.min(box.x + box.width, line.x + line.width) - Math.max(box.x, line.x);
  return overlap > 0 && gap < line.height * 1.5 && line.y + line.height > box.y;
}
