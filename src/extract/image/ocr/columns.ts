// Words come row by row over the whole page. Where the page is set in columns of prose, they are put column by
// column; tables, forms and receipts stay in rows, because there a row belongs together.
//
//   ┌────────── title ──────────┐     a row that crosses the gutter parts what is above from what is below
//   │ left one    │ right one   │
//   │ left two    │ right two   │  →  title, left one, left two, right one, right two
import type { OcrWord } from "./lines.ts";

interface Row {
  readonly words: readonly OcrWord[];
}

const FEWEST_ROWS = 6;
// A line of prose on one side of the gutter; cells of tables and labels of forms hold less.
const FEWEST_WORDS = 2.5;
const FEWEST_CHARACTERS = 16;
const FEWEST_WIDE = 9;
const DEEPEST = 2;

export function readingOrder(words: readonly OcrWord[], depth = 0): readonly OcrWord[] {
  const rows = toRows(words);
  const gutter = depth > DEEPEST ? undefined : findGutter(rows);
  if (gutter === undefined) return rows.flatMap((row) => row.words);
  const ordered: OcrWord[] = [];
  let band: Row[] = [];
  const flush = () => {
    const inBand = band.flatMap((row) => row.words);
    const side = (left: boolean) => inBand.filter((word) => center(word) < gutter === left);
    ordered.push(...readingOrder(side(true), depth + 1), ...readingOrder(side(false), depth + 1));
    band = [];
  };
  for (const row of rows) {
    if (crosses(row, gutter)) {
      flush();
      ordered.push(...row.words);
    } else band.push(row);
  }
  flush();
  return ordered;
}

/** Rows by the words' middles, after the page was set straight; each from left to right. */
function toRows(words: readonly OcrWord[]): readonly Row[] {
  const slope = skew(words);
  const level = (word: OcrWord) => word.y + word.height / 2 - slope * center(word);
  // The taller words count: a full stop's box says nothing of its line's height.
  const heights = words.map((word) => word.height);
  const reach = median(heights.filter((height) => height >= median(heights))) * 0.5;
  const rows: { words: OcrWord[]; level: number }[] = [];
  for (const word of [...words].sort((a, b) => level(a) - level(b))) {
    const row = rows.at(-1);
    if (row !== undefined && level(word) - row.level <= Math.max(reach, word.height * 0.3)) {
      row.words.push(word);
      row.level += (level(word) - row.level) / row.words.length;
    } else rows.push({ words: [word], level: level(word) });
  }
  for (const row of rows) row.words.sort((a, b) => a.x - b.x);
  return rows;
}

/** How much a line falls from left to right: the median over neighbours as recognition lists them. */
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

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The middle of the white strip between two columns, where most rows leave it free and both sides are prose. */
function findGutter(rows: readonly Row[]): number | undefined {
  if (rows.length < FEWEST_ROWS) return undefined;
  const all = rows.flatMap((row) => row.words);
  const left = Math.min(...all.map((word) => word.x));
  const right = Math.max(...all.map((word) => word.x + word.width));
  let best: number | undefined;
  let most = 0;
  for (let share = 0.25; share <= 0.75; share += 0.01) {
    const at = left + (right - left) * share;
    const split = rows.filter((row) => isSplit(row, at)).length;
    const crossing = rows.filter((row) => crosses(row, at)).length;
    if (split > most && split >= FEWEST_ROWS && crossing < split * 0.35 && isProse(rows, at)) {
      best = at;
      most = split;
    }
  }
  return best;
}

function isSplit(row: Row, at: number): boolean {
  return (
    !crosses(row, at) &&
    row.words.some((word) => center(word) < at) &&
    row.words.some((word) => center(word) > at)
  );
}

/** A word over the gutter, or words so close on both sides that they are one line. */
function crosses(row: Row, at: number): boolean {
  const before = row.words.filter((word) => center(word) < at).at(-1);
  const after = row.words.find((word) => center(word) >= at);
  if (row.words.some((word) => word.x < at && word.x + word.width > at)) return true;
  if (before === undefined || after === undefined) return false;
  return after.x - (before.x + before.width) < Math.min(before.height, after.height) * 0.7;
}

function isProse(rows: readonly Row[], at: number): boolean {
  const split = rows.filter((row) => isSplit(row, at));
  const side = (left: boolean) => {
    const text = split.map((row) =>
      row.words
        .filter((word) => center(word) < at === left)
        .map((word) => word.text)
        .join(" "),
    );
    const words = text.reduce((sum, line) => sum + line.split(/\s+/).length, 0) / split.length;
    const characters = text.reduce((sum, line) => sum + line.length, 0) / split.length;
    // Ideographs are words of their own.
    const wide = text.join("").match(/[\u3041-\u9fff]/g)?.length ?? 0;
    return (
      wide / split.length >= FEWEST_WIDE ||
      (words >= FEWEST_WORDS && characters >= FEWEST_CHARACTERS)
    );
  };
  return side(true) && side(false);
}

function center(word: OcrWord): number {
  return word.x + word.width / 2;
}
