// Words and their boxes, relative to the page.
import type { ParsedPage } from "@llamaindex/liteparse";
import type { PlacedWord } from "../image/ocr/ocr.ts";
import { MAX_WORDS, type PageWord } from "./view.ts";

interface Box {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const WHOLE = 10_000;
const LONGEST = 1_000;

export function toPageWords({ textItems, width, height }: ParsedPage): readonly PageWord[] {
  const boxes = textItems.flatMap((item): readonly Box[] =>
    item.words === undefined || item.words.length === 0 ? [item] : item.words,
  );
  return toWords(boxes, { width, height });
}

/** OCR already returns positions as shares of the picture. */
export function placedWords(words: readonly PlacedWord[]): readonly PageWord[] {
  const boxes = words.map(({ text, box }) => ({ text, ...box }));
  return toWords(boxes, { width: 1, height: 1 });
}

interface Whole {
  readonly width: number;
  readonly height: number;
}

/** Boxes and `whole` have the same units. */
export function toWords(boxes: readonly Box[], { width, height }: Whole): readonly PageWord[] {
  return boxes
    .filter(({ text }) => text.trim() !== "")
    .slice(0, MAX_WORDS)
    .map((box) => [
      box.text.slice(0, LONGEST),
      part(box.x, width),
      part(box.y, height),
      part(box.width, width),
      part(box.height, height),
    ]);
}

/** A box may extend beyond the page's edge. */
function part(length: number, whole: number): number {
  const share = Math.round((length / whole) * WHOLE);
  return Number.isFinite(share) ? Math.min(WHOLE, Math.max(0, share)) : 0;
}
