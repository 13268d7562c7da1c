// Finds lines that OCR has missed by their ink, and reads them separately: labels in boxes, white on colour, prices far
// from their items. Tesseract's own search for blocks of text skips them.
import { patchesOf } from "../../pixels/components.ts";
import { wipe } from "../../pixels/flatten.ts";
import { encodeGrey, type Pixels } from "../../pixels/png.ts";
import { boxOf } from "../boxes.ts";
import type { OcrLanguage } from "../languages.ts";
import type { OcrWord } from "../layout/word.ts";
import { type Recognize, type Result, toResult } from "../recognize.ts";
import { isLikely, mergeReadings, overlaps } from "./merge.ts";
import { isNarrow, sheetOf } from "./sheet.ts";
import { type TextLine, textLines } from "./text-lines.ts";

export interface InkedPicture {
  readonly ink: Pixels;
  /** The picture that the ink was extracted from. */
  readonly picture: Pixels;
}

interface Reading {
  readonly recognize: Recognize;
  /** All languages that run from left to right. */
  readonly languages: readonly OcrLanguage[];
}

// Words below this confidence are read again in place, and the reading with the higher confidence is kept.
const TRUSTED = 0.6;
const MOSTLY = 0.6;

export interface MissedLines {
  readonly read: Result;
  /** The ink without the words that were read with confidence. */
  readonly left: Pixels;
  /** Whether it contains lines that OCR could not read. */
  readonly isMore: boolean;
}

export async function readMissedLines(
  read: Result,
  { ink, picture }: InkedPicture,
  { recognize, languages }: Reading,
): Promise<MissedLines> {
  const { attempt, words } = read;
  const left = { ...ink, data: ink.data.slice() };
  eraseWords(left, words);
  if (attempt.turn !== 0) return { read, left, isMore: false };
  const lines = textLines(patchesOf(left), picture);
  const others = languages.filter((language) => language !== attempt.language);
  let found: readonly OcrWord[] = [];
  const unread = () => lines.filter((line) => !isNarrow(line) && !isRead(line, found));
  for (const language of [attempt.language, ...others]) {
    if (unread().length === 0) break;
    const { pixels, place } = sheetOf(left, lines);
    const { width, height } = pixels;
    const sheet = { bytes: encodeGrey(pixels), width, height };
    const again = await recognize(sheet, { language, scale: 1, turn: 0 });
    found = mergeReadings(found, again.words.flatMap(place));
  }
  eraseWords(left, found);
  return {
    read: toResult(mergeReadings(words, found), attempt),
    left,
    isMore: unread().length > 0,
  };
}

function eraseWords(ink: Pixels, words: readonly OcrWord[]): void {
  for (const word of words)
    if (word.confidence >= TRUSTED) wipe(ink, boxOf(word, { turn: 0 }, ink));
}

/** True if likely words cover most of the line. */
function isRead(line: TextLine, words: readonly OcrWord[]): boolean {
  const on = words.filter((word) => isLikely(word) && overlaps(word, line));
  return on.reduce((sum, { width }) => sum + width, 0) >= line.width * MOSTLY;
}
