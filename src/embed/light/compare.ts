// Compares a question with texts piece by piece: one vector for a whole sentence blurs which word of it is meant.
import { dot } from "../unit-vectors.ts";

export interface Comparison {
  /** How much each piece of the question matters: the length of its row, which comes from training. */
  readonly weights: Float32Array;
  /** For each piece of the question, the cosine of the text's nearest piece; at least 0. */
  nearest(text: string): Float32Array;
}

interface Rows {
  readonly dimensions: number;
  /** Writes a piece's row, as a vector of length one, to `into` from `at`; returns the row's own length. */
  copyRow(piece: number, into: Float32Array, at: number): number;
  pieces(text: string): readonly number[];
}

// Only the most informative pieces of a question are compared: the others are mostly particles, and each takes time.
const MAX_PIECES = 8;

export function openCompare({ dimensions, copyRow, pieces }: Rows) {
  const rowOf = (piece: number) => {
    const row = new Float32Array(dimensions);
    return { row, weight: copyRow(piece, row, 0) };
  };
  return (question: string): Comparison => {
    const all = [...new Set(pieces(question))].map(rowOf);
    const asked = all.sort((a, b) => b.weight - a.weight).slice(0, MAX_PIECES);
    // A cache, because passages on one subject share most of their pieces.
    const known = new Map<number, Float32Array>();
    const cosinesOf = (piece: number) => {
      const own = rowOf(piece).row;
      const cosines = Float32Array.from(asked, ({ row }) => dot(row, own));
      known.set(piece, cosines);
      return cosines;
    };
    return {
      weights: Float32Array.from(asked, ({ weight }) => weight),
      nearest(text) {
        const nearest = new Float32Array(asked.length);
        for (const piece of pieces(text)) {
          const cosines = known.get(piece) ?? cosinesOf(piece);
          for (let at = 0; at < nearest.length; at++) {
            nearest[at] = Math.max(nearest[at] as number, cosines[at] as number);
          }
        }
        return nearest;
      },
    };
  };
}
