// Compares a question with texts piece by piece: one vector for a whole sentence blurs which word of it is meant.
import { type LightTable, ROWS_PER_BLOCK } from "./table-file.ts";

export interface Comparison {
  /** How much each piece of the question says: the length of its row, which training has chosen. */
  readonly weights: Float32Array;
  /** For each piece of the question, the cosine of the text's nearest piece; at least 0. */
  nearest(text: string): Float32Array;
}

// A longer question is pasted text; what comparing it can cost stays bounded.
const MOST_PIECES = 48;

/** The rows of a question's pieces, one after the other, each of length one. */
interface Asked {
  readonly pieces: readonly number[];
  readonly rows: Float32Array;
  readonly weights: Float32Array;
}

export function openCompare(table: LightTable, toPieces: (text: string) => readonly number[]) {
  return (question: string): Comparison => {
    const asked = toAsked(table, [...new Set(toPieces(question))]);
    // Passages on one subject share most of their pieces.
    const known = new Map<number, Float32Array>();
    const cosinesOf = (piece: number) => {
      const cosines = known.get(piece) ?? compareRow(table, asked, piece);
      known.set(piece, cosines);
      return cosines;
    };
    return {
      weights: asked.weights,
      nearest(text) {
        const pieces = toPieces(text);
        table.loadRows(pieces);
        const nearest = new Float32Array(asked.pieces.length);
        for (const piece of pieces) {
          const cosines = cosinesOf(piece);
          for (let at = 0; at < nearest.length; at++) {
            nearest[at] = Math.max(nearest[at] as number, cosines[at] as number);
          }
        }
        return nearest;
      },
    };
  };
}

function toAsked(table: LightTable, all: readonly number[]): Asked {
  table.loadRows(all);
  const lengths = new Map(all.map((piece) => [piece, lengthOf(table, piece)]));
  const weightOf = (piece: number) => (lengths.get(piece) ?? 0) * (table.scales[piece] as number);
  const pieces = all.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, MOST_PIECES);
  const rows = new Float32Array(pieces.length * table.dimensions);
  for (const [number, piece] of pieces.entries()) {
    const length = lengths.get(piece) || 1;
    rows.set(
      Float32Array.from(rowOf(table, piece), (value) => value / length),
      number * table.dimensions,
    );
  }
  return { pieces, rows, weights: Float32Array.from(pieces, weightOf) };
}

function compareRow(table: LightTable, { pieces, rows }: Asked, piece: number): Float32Array {
  const { dimensions } = table;
  const row = rowOf(table, piece);
  const length = lengthOf(table, piece) || 1;
  const cosines = new Float32Array(pieces.length);
  for (let number = 0; number < cosines.length; number++) {
    const from = number * dimensions;
    let sum = 0;
    for (let at = 0; at < dimensions; at++)
      sum += (rows[from + at] as number) * (row[at] as number);
    cosines[number] = sum / length;
  }
  return cosines;
}

/** In the row's own steps. */
function lengthOf(table: LightTable, piece: number): number {
  const row = rowOf(table, piece);
  let squares = 0;
  for (let at = 0; at < row.length; at++) squares += (row[at] as number) ** 2;
  return Math.sqrt(squares);
}

function rowOf({ blocks, dimensions }: LightTable, piece: number): Int8Array {
  const from = (piece % ROWS_PER_BLOCK) * dimensions;
  const block = blocks[Math.floor(piece / ROWS_PER_BLOCK)] as Int8Array;
  return block.subarray(from, from + dimensions);
}
