// Groups the words of a line into cells by their distance.
import { isWide } from "../../../../text/scripts.ts";
import type { Row } from "./rows.ts";
import { type OcrWord, unspaced } from "./word.ts";

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

// Words of one cell are closer than this many heights; wide characters have no spaces between them.
const WORD_GAP = 0.9;
const WIDE_GAP = 1.3;

export function toLine({ words }: Row): Line {
  const kept = words.filter(({ text }) => !/^[|｜[\]_—-]+$/u.test(text)).map(unspaced);
  const height = median(kept.map((word) => word.height));
  return {
    cells: toCells(kept, height),
    top: Math.min(...kept.map(({ y }) => y)),
    bottom: Math.max(...kept.map((word) => word.y + word.height)),
    level: median(kept.map((word) => word.y + word.height / 2)),
    height,
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function toCells(words: readonly OcrWord[], height: number): readonly Cell[] {
  const cells: Cell[] = [];
  for (const { text, x, width } of words) {
    const last = cells.at(-1);
    const wide =
      last && isWide(last.text.charCodeAt(last.text.length - 1)) && isWide(text.charCodeAt(0));
    const gap = last === undefined ? 0 : x - last.right;
    if (last === undefined || gap > height * (wide ? WIDE_GAP : WORD_GAP))
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
