// Words → rows, each from left to right. OCR's boxes are not exact: a word may be too high or too low for its line, and
// a phrase's box may cover a word that is not part of it.
import { median, type OcrWord } from "./word.ts";

export interface Row {
  readonly words: readonly OcrWord[];
}

/** Groups words into rows by their vertical centres, after straightening the page. */
export function toRows(words: readonly OcrWord[]): readonly Row[] {
  const slope = skew(words);
  const level = (word: OcrWord) => word.y + word.height / 2 - slope * center(word);
  // Only the taller words count, because a full stop's box is much lower than its line.
  const heights = words.map((word) => word.height);
  const usual = median(heights);
  const reach = median(heights.filter((height) => height >= usual)) * 0.5;
  const rows: { words: OcrWord[]; level: number }[] = [];
  for (const word of [...words].sort((a, b) => level(a) - level(b))) {
    const row = rows.at(-1);
    if (row !== undefined && level(word) - row.level <= Math.max(reach, word.height * 0.3)) {
      row.words.push(word);
      row.level += (level(word) - row.level) / row.words.length;
    } else rows.push({ words: [word], level: level(word) });
  }
  return rows.map(({ words: row }) => ({
    words: row.flatMap((word) => parted(word, row)).sort((a, b) => a.x - b.x),
  }));
}

/** How much lines fall from left to right: the median over neighbours in OCR's order. */
function skew(words: readonly OcrWord[]): number {
  const slopes: number[] = [];
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    if (before === undefined || word.x <= before.x + before.width * 0.5) continue;
    const across = center(word) - center(before);
    const down = word.y + word.height / 2 - (before.y + before.height / 2);
    if (Math.abs(down) < Math.min(word.height, before.height) * 0.8) slopes.push(down / across);
  }
  const slope = slopes.length < 8 ? 0 : median(slopes);
  return Math.abs(slope) > 0.12 ? 0 : slope;
}

/** True if the word overlaps a phrase of several words and may belong between two of them. */
function isInside(word: OcrWord, phrase: OcrWord): boolean {
  const slack = word.width * 0.3;
  return (
    phrase !== word &&
    phrase.text.includes(" ") &&
    word.width < phrase.width * 0.6 &&
    word.x > phrase.x + slack &&
    word.x + word.width < phrase.x + phrase.width + slack
  );
}

/** Splits a phrase that covers other words into its own words, leaving room for the others. */
function parted(phrase: OcrWord, row: readonly OcrWord[]): readonly OcrWord[] {
  const inside = row.filter((word) => isInside(word, phrase)).sort((a, b) => a.x - b.x);
  if (inside.length === 0) return [phrase];
  const words = phrase.text.split(" ");
  const taken = inside.reduce((sum, { width }) => sum + width, 0);
  const letter = Math.max(1, phrase.width - taken) / words.join("").length;
  let x = phrase.x;
  return words.map((text) => {
    while (inside[0] !== undefined && inside[0].x <= x + letter * 0.5)
      x += inside.shift()?.width ?? 0;
    const word = { ...phrase, text, x, width: letter * text.length };
    x += word.width;
    return word;
  });
}

export function center(word: OcrWord): number {
  return word.x + word.width / 2;
}
