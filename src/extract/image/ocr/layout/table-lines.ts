// Groups the words of a line into cells by their distance, and the cells of many lines into columns.
import type { Row } from "./rows.ts";
import { areWide, median, type OcrWord, unspaced } from "./word.ts";

interface Cell {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

export interface Line {
  readonly cells: readonly Cell[];
  readonly top: number;
  readonly bottom: number;
  readonly level: number;
  readonly height: number;
}

// Words of one cell are closer than this many heights; OCR's boxes are not exact.
const WORD_GAP = 0.9;
// Wide characters have no spaces between them.
const WIDE_GAP = 1.3;

export function toLine({ words }: Row, wordGap = WORD_GAP): Line {
  const kept = words.filter(({ text }) => !/^[|｜[\]_—-]+$/u.test(text)).map(unspaced);
  const height = median(kept.map((word) => word.height));
  return {
    cells: toCells(kept, height, wordGap),
    top: Math.min(...kept.map(({ y }) => y)),
    bottom: Math.max(...kept.map((word) => word.y + word.height)),
    level: median(kept.map((word) => word.y + word.height / 2)),
    height,
  };
}

function toCells(words: readonly OcrWord[], height: number, wordGap: number): readonly Cell[] {
  const cells: Cell[] = [];
  for (const { text, x, width } of words) {
    const last = cells.at(-1);
    const wide = last !== undefined && areWide(last.text, text);
    const gap = last === undefined ? 0 : x - last.right;
    if (last === undefined || gap > height * (wide ? WIDE_GAP : wordGap))
      cells.push({ text, left: x, right: x + width });
    else
      cells[cells.length - 1] = {
        text: wide ? last.text + text : `${last.text} ${text}`,
        left: last.left,
        right: Math.max(last.right, x + width),
      };
  }
  return cells;
}

/** A horizontal range of the page that grows with every line. */
export interface Column {
  left: number;
  right: number;
}

export function columnsOf({ left, right }: Column, columns: readonly Column[]): readonly Column[] {
  return columns.filter((column) => column.left < right && column.right > left);
}

/**
 * Extends the columns by a line's cells and adds new ones. Returns false, without a change, if a
 * cell spans two columns.
 */
export function widen({ cells }: Line, columns: Column[]): boolean {
  const homes = cells.map((cell) => columnsOf(cell, columns));
  if (homes.some((home) => home.length > 1) || homes.every((home) => home.length === 0))
    return false;
  for (const [at, { left, right }] of cells.entries()) {
    const [home] = homes[at] ?? [];
    if (home === undefined) columns.push({ left, right });
    else {
      home.left = Math.min(home.left, left);
      home.right = Math.max(home.right, right);
    }
  }
  columns.sort((a, b) => a.left - b.left);
  return columns.every((column, at) => at === 0 || (columns[at - 1]?.right ?? 0) <= column.left);
}
