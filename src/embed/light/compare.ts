// Compares a question with texts piece by piece: one vector for a whole sentence blurs which word of it is meant.
import type { LightTable } from "./table-file.ts";

export interface Comparison {
  /** How much each piece of the question matters: the length of its row, which comes from training. */
  readonly weights: Float32Array;
  /** For each piece of the question, the cosine of the text's nearest piece; at least 0. */
  nearest(text: string): Float32Array;
}

// Only the most informative pieces of a question are compared: the others are mostly particles, and each takes time.
const MAX_PIECES = 8;
// How many rows of the question are compared at once, so that each value of the other row is loaded once for all of
// them.
const ROWS_AT_ONCE = 4;

/** Row lengths in units of the row's scale, computed on demand; 0 if not computed yet. */
type Lengths = Float32Array;

interface Asked {
  readonly pieces: readonly number[];
  /** Four rows side by side (a b c d a b c d …), then the next four; missing ones are zero. */
  readonly rows: Int8Array;
}

export function openCompare(table: LightTable, toPieces: (text: string) => readonly number[]) {
  const lengths: Lengths = new Float32Array(table.scales.length);
  return (question: string): Comparison => {
    const all = [...new Set(toPieces(question))];
    const weightOf = (piece: number) =>
      lengthOf(table, lengths, piece) * (table.scales[piece] as number);
    const pieces = all.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, MAX_PIECES);
    const asked = { pieces, rows: sideBySide(table, pieces) };
    // A cache, because passages on one subject share most of their pieces.
    const known = new Map<number, Float32Array>();
    const cosinesOf = (piece: number) => {
      const found = known.get(piece);
      if (found) return found;
      const cosines = compareRow(table, lengths, asked, piece);
      known.set(piece, cosines);
      return cosines;
    };
    return {
      weights: Float32Array.from(pieces, weightOf),
      nearest(text) {
        const nearest = new Float32Array(pieces.length);
        for (const piece of toPieces(text)) {
          const cosines = cosinesOf(piece);
          for (let at = 0; at < nearest.length; at++) {
            if ((cosines[at] as number) > (nearest[at] as number)) {
              nearest[at] = cosines[at] as number;
            }
          }
        }
        return nearest;
      },
    };
  };
}

function sideBySide(table: LightTable, pieces: readonly number[]): Int8Array {
  const { dimensions } = table;
  const groups = Math.ceil(pieces.length / ROWS_AT_ONCE);
  const rows = new Int8Array(groups * ROWS_AT_ONCE * dimensions);
  for (const [number, piece] of pieces.entries()) {
    const { block, from } = table.rowOf(piece);
    const first =
      Math.floor(number / ROWS_AT_ONCE) * ROWS_AT_ONCE * dimensions + (number % ROWS_AT_ONCE);
    for (let at = 0; at < dimensions; at++)
      rows[first + at * ROWS_AT_ONCE] = block[from + at] as number;
  }
  return rows;
}

function compareRow(table: LightTable, lengths: Lengths, { pieces, rows }: Asked, piece: number) {
  const { dimensions } = table;
  const { block, from } = table.rowOf(piece);
  const length = lengthOf(table, lengths, piece);
  const products = new Float32Array(Math.ceil(pieces.length / ROWS_AT_ONCE) * ROWS_AT_ONCE);
  for (let group = 0; group < products.length; group += ROWS_AT_ONCE) {
    // Integers (`| 0`) are as exact as the table and twice as fast.
    let [a, b, c, d] = [0, 0, 0, 0];
    let place = group * dimensions;
    for (let at = 0; at < dimensions; at++) {
      const value = block[from + at] as number;
      a = (a + value * (rows[place] as number)) | 0;
      b = (b + value * (rows[place + 1] as number)) | 0;
      c = (c + value * (rows[place + 2] as number)) | 0;
      d = (d + value * (rows[place + 3] as number)) | 0;
      place += ROWS_AT_ONCE;
    }
    products.set([a, b, c, d], group);
  }
  for (const [at, own] of pieces.entries()) {
    products[at] = (products[at] as number) / (length * lengthOf(table, lengths, own) || 1);
  }
  return products;
}

function lengthOf(table: LightTable, lengths: Lengths, piece: number): number {
  const known = lengths[piece] as number;
  if (known !== 0) return known;
  const { block, from } = table.rowOf(piece);
  let squares = 0;
  for (let at = from; at < from + table.dimensions; at++) squares += (block[at] as number) ** 2;
  lengths[piece] = Math.sqrt(squares);
  return lengths[piece] as number;
}
