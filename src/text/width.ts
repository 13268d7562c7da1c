// How many columns text takes on a terminal: CJK and emoji take two, combining marks none.

import { stripVTControlCharacters } from "node:util";
import { isWide } from "./scripts.ts";
import { segmenter } from "./segmenters.ts";

const WIDE_PAIR = /^[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NARROW_ONLY = /^[\x20-\x7e]*$/;
const NO_WIDTH = /^[\p{M}\p{Cf}\p{Cc}]/u;

export function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (NARROW_ONLY.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of graphemes(plain)) width += widthOfGrapheme(segment);
  return width;
}

/** Cut to at most `columns`, with an ellipsis where something is lost. Plain text only. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes(text)) {
    width += widthOfGrapheme(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function pad(text: string, columns: number, align: "left" | "right"): string {
  const gap = " ".repeat(Math.max(0, columns - widthOf(text)));
  return align === "left" ? text + gap : gap + text;
}

function widthOfGrapheme(segment: string): number {
  if (NO_WIDTH.test(segment)) return 0;
  return isWide(segment.charCodeAt(0)) || WIDE_PAIR.test(segment) ? 2 : 1;
}

function graphemes(text: string) {
  return segmenter("grapheme").segment(text);
}
