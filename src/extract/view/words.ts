// Words and their boxes, as parts of the page they are on.
import type { ParsedPage } from "@llamaindex/liteparse";
import { MOST_WORDS, type PageWord } from "./view.ts";

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
  // What OCR finds is words already.
  const boxes = textItems.flatMap((item): readonly Box[] =>
    item.words === undefined || item.words.length === 0 ? [item] : item.words,
  );
  return boxes
    .filter(({ text }) => text.trim() !== "")
    .slice(0, MOST_WORDS)
    .map((box) => [
      box.text.slice(0, LONGEST),
      part(box.x, width),
      part(box.y, height),
      part(box.width, width),
      part(box.height, height),
    ]);
}

/** A box may reach over the page's edge. */
function part(length: number, whole: number): number {
  const share = Math.round((length / whole) * WHOLE);
  return Number.isFinite(share) ? Math.min(WHOLE, Math.max(0, share)) : 0;
}
