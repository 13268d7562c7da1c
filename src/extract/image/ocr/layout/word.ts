// A word or phrase that OCR found on a picture.

import { isWide } from "../../../../text/scripts.ts";
import type { Box } from "../../../box.ts";

export interface OcrWord extends Box {
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Applied only after ordering, because the spaces show where a word of another box may belong. */
export function unspaced(word: OcrWord): OcrWord {
  if (!word.text.includes(" ")) return word;
  return { ...word, text: word.text.replace(/(?<=[\u3005-\u9fff]) (?=[\u3005-\u9fff])/g, "") };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Wide characters have no spaces between them. */
export function areWide(before: string, after: string): boolean {
  return isWide(before.charCodeAt(before.length - 1)) && isWide(after.charCodeAt(0));
}
