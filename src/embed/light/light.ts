// The light encoder: text of many languages → a unit vector in the space of all-MiniLM-L6-v2, by adding up one row of a
// table per piece of text. docs/decisions/0012-light-encoder.md says how it was made; training/ makes it again.
import { join } from "node:path";
import { toUnit } from "../unit.ts";
import { type Comparison, openCompare } from "./compare.ts";
import { RunCache } from "./run-cache.ts";
import { eachRun, fold, type Run } from "./runs.ts";
import { type LightTable, openTable, ROWS_PER_BLOCK } from "./table-file.ts";
import { openUnigram } from "./unigram.ts";

export interface LightEncoder {
  readonly dimensions: number;
  /** Of length one; all zero where the text has no letter that the table knows. */
  encode(text: string): Float32Array;
  /** Which encoder reads the text better: the model reads English, and whatever the table does not know. */
  encoderFor(text: string): EncoderName;
  /** How much a word says in general: minus the logarithm of how likely its pieces are, in any of the languages. */
  information(word: string): number;
  /** Compares texts with the question piece by piece. */
  compare(question: string): Comparison;
  /** The pieces that are added up, the table's own numbers. */
  pieces(text: string): readonly number[];
}

export type EncoderName = "model" | "light";

export const LIGHT_FILE = "light.bin";

// A vector of more than this says nothing any more, and what a hostile text can cost stays bounded.
const LONGEST_TEXT = 32_768;
// In 127ths, as the table has them. Of the development sets' English chunks 99 in 100 are above it, of those in other
// languages one in 100, code aside.
const LEAST_ENGLISH = -21;

export async function openLight(folder: string): Promise<LightEncoder> {
  const table = openTable(join(folder, LIGHT_FILE));
  const toPieces = openPieces(table);
  const sum = openSum(table);
  const encoderOf = openEncoderOf(table);
  return {
    dimensions: table.dimensions,
    pieces: toPieces,
    encode: (text) => toUnit(sum(toPieces(text))),
    encoderFor: (text) => encoderOf(toPieces(text)),
    compare: openCompare(table, toPieces),
    information: (word) => informationOf(toPieces(word), table.scores),
  };
}

/** What the table does not know is rare. */
function informationOf(pieces: readonly number[], scores: Float32Array): number {
  if (pieces.length === 0) return Number.POSITIVE_INFINITY;
  return pieces.reduce((sum, piece) => sum - (scores[piece] as number), 0);
}

/** By the mean over its pieces, each counted once. */
function openEncoderOf({ english }: LightTable) {
  const isCounted = new Uint8Array(english.length);
  return (pieces: readonly number[]): EncoderName => {
    let [sum, count] = [0, 0];
    for (const piece of pieces) {
      if (isCounted[piece] === 1) continue;
      isCounted[piece] = 1;
      sum += english[piece] as number;
      count += 1;
    }
    for (const piece of pieces) isCounted[piece] = 0;
    return sum < LEAST_ENGLISH * count ? "light" : "model";
  };
}

/** Adds up the pieces' rows, each by the root of how often it occurs: a word said ten times means little more. */
function openSum({ dimensions, blocks, scales, loadRows }: LightTable) {
  const counts = new Int32Array(scales.length);
  return (pieces: readonly number[]): Float32Array => {
    const sum = new Float32Array(dimensions);
    // First: a row that cannot be read must not leave counts behind.
    loadRows(pieces);
    for (const piece of pieces) counts[piece] = (counts[piece] as number) + 1;
    for (const piece of pieces) {
      const count = counts[piece] as number;
      if (count === 0) continue;
      counts[piece] = 0;
      const weight = Math.sqrt(count) * (scales[piece] as number);
      const block = blocks[Math.floor(piece / ROWS_PER_BLOCK)] as Int8Array;
      const from = (piece % ROWS_PER_BLOCK) * dimensions;
      for (let at = 0; at < dimensions; at++) {
        sum[at] = (sum[at] as number) + weight * (block[from + at] as number);
      }
    }
    return sum;
  };
}

function openPieces({ trie, scores }: LightTable) {
  const unigram = openUnigram(trie, scores, LONGEST_TEXT);
  const cache = new RunCache();
  const cut = (run: Run, found: number[]) => {
    if (cache.take(run, found)) return;
    const pieces = unigram.cut(run);
    cache.add(run, pieces);
    for (const piece of pieces) found.push(piece);
  };
  // A text is encoded and then assigned to an encoder: it is cut once.
  const last: { text: string; pieces: readonly number[] } = { text: "", pieces: [] };
  return (text: string): readonly number[] => {
    if (text === last.text) return last.pieces;
    const found: number[] = [];
    // Folding can make a text longer, one character into 18.
    eachRun(fold(text.slice(0, LONGEST_TEXT)).slice(0, LONGEST_TEXT), (run) => cut(run, found));
    last.text = text;
    last.pieces = found;
    return found;
  };
}
