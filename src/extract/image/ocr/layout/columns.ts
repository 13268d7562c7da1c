// OCR returns words row by row across the whole page. If the page has columns of prose, the words are reordered column
// by column. Tables, forms and receipts stay in rows, because their rows belong together.
//
//   ┌────────── title ──────────┐     a row that crosses the gutter separates the columns above it from those below
//   │ left one    │ right one   │
//   │ left two    │ right two   │  →  title, left one, left two, right one, right two
import { center, type Row, toRows } from "./rows.ts";
import { type OcrWord, unspaced } from "./word.ts";

const MIN_ROWS = 6;
// A line of prose on one side of the gutter has more words; table cells and form labels have fewer.
const MIN_WORDS = 2.5;
const MIN_CHARACTERS = 16;
const MIN_WIDE = 9;
// A higher share of digits means columns of a table.
const MAX_DIGITS = 0.3;
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
    if (kindAt(row, gutter) === "crosses") {
      flush();
      ordered.push(...row.words);
    } else band.push(row);
  }
  flush();
  return ordered;
}

export function isInColumns(rows: readonly Row[]): boolean {
  return findGutter(rows) !== undefined;
}

/**
 * Finds the middle of the white strip between two columns, if most rows leave it free and both
 * sides are prose.
 */
function findGutter(rows: readonly Row[]): number | undefined {
  if (rows.length < MIN_ROWS) return undefined;
  const all = rows.flatMap((row) => row.words);
  const left = Math.min(...all.map((word) => word.x));
  const right = Math.max(...all.map((word) => word.x + word.width));
  let best: number | undefined;
  let most = 0;
  for (let share = 0.25; share <= 0.75; share += 0.01) {
    const at = left + (right - left) * share;
    const { split = [], crosses = [] } = Object.groupBy(rows, (row) => kindAt(row, at));
    if (split.length <= most || split.length < MIN_ROWS) continue;
    if (crosses.length >= split.length * 0.35 || !isProse(split, at)) continue;
    best = at;
    most = split.length;
  }
  return best;
}

/**
 * A row crosses a place if a word covers it, or words on both sides are so close that they form one line; with words
 * on both sides it is split.
 */
function kindAt({ words }: Row, at: number): "crosses" | "split" | "beside" {
  let before: OcrWord | undefined;
  let after: OcrWord | undefined;
  for (const word of words) {
    if (word.x < at && word.x + word.width > at) return "crosses";
    if (center(word) < at) before = word;
    else after ??= word;
  }
  if (before === undefined || after === undefined) return "beside";
  const isClose = after.x - (before.x + before.width) < Math.min(before.height, after.height) * 0.7;
  return isClose ? "crosses" : "split";
}

function isProse(split: readonly Row[], at: number): boolean {
  const side = (left: boolean) => {
    const text = split.map((row) =>
      row.words
        .filter((word) => center(word) < at === left)
        .map((word) => unspaced(word).text)
        .join(" "),
    );
    const words = text.reduce((sum, line) => sum + line.split(/\s+/).length, 0) / split.length;
    const characters = text.reduce((sum, line) => sum + line.length, 0) / split.length;
    // Each ideograph counts as a word.
    const wide = text.join("").match(/[\u3041-\u9fff]/g)?.length ?? 0;
    const digits = text.join("").match(/\d/g)?.length ?? 0;
    if (digits > characters * split.length * MAX_DIGITS) return false;
    return wide / split.length >= MIN_WIDE || (words >= MIN_WORDS && characters >= MIN_CHARACTERS);
  };
  return side(true) && side(false);
}
