// The light encoder: text of many languages → a unit vector in the space of all-MiniLM-L6-v2, by adding up one row of a
// table per piece of text. docs/decisions/0012-light-encoder.md says how it was made; training/ makes it again.
import { join } from "node:path";
import { setImmediate as yieldToLoop } from "node:timers/promises";
import { Cache } from "../../domain/cache.ts";
import { toUnit } from "../unit-vectors.ts";
import { type Comparison, openCompare } from "./compare.ts";
import { type LocatedPieces, openLocate } from "./locate.ts";
import { eachRun, fold, type Run } from "./runs.ts";
import { type LightTable, openTable } from "./table-file.ts";
import { openUnigram } from "./unigram.ts";

export interface LightEncoder {
  readonly dimensions: number;
  /** A vector of length one; all zero if the text has no letter that the table knows. */
  encode(text: string): Float32Array;
  /** Encodes all in the order given; yields to the event loop in between. */
  passages(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  /** Which encoder suits the text better: the model for English and for text that the table does not know. */
  encoderFor(text: string): EncoderName;
  /** How informative a word is in general: minus the log probability of its pieces, over all languages. */
  information(word: string): number;
  /** Compares texts with the question piece by piece. */
  compare(question: string): Comparison;
  /** The pieces that are added up, by their numbers in the table. */
  pieces(text: string): readonly number[];
  /** The pieces and where they are in the text. */
  locate(text: string): LocatedPieces;
  /** Writes a piece's row, as a vector of length one, to `into` from `at`; returns the row's own length. */
  copyRow(piece: number, into: Float32Array, at: number): number;
}

export type EncoderName = "model" | "light";

export const LIGHT_FILE = "light.bin";

// The vector of a longer text would be meaningless, and this bounds the cost of a hostile text.
const MAX_TEXT_LENGTH = 32_768;
// In 127ths, like the table's values. In the development sets, 99% of the English chunks are above it and 1% of those
// in other languages, not counting code.
const MIN_ENGLISH = -21;
const MAX_KNOWN = 32_768;
// A longer part of a string would keep the whole string in memory.
const MAX_KNOWN_LENGTH = 12;

export async function openLight(folder: string): Promise<LightEncoder> {
  const table = openTable(join(folder, LIGHT_FILE));
  const cut = openCut(table);
  const toPieces = openPieces(cut);
  const locate = openLocate(table.trie, table.scores.length, cut);
  const sum = openSum(table);
  const encode = (text: string) => toUnit(sum(toPieces(text)));
  const encoderOf = openEncoderOf(table);
  const rows = { dimensions: table.dimensions, copyRow: openCopyRow(table), pieces: toPieces };
  return {
    ...rows,
    locate: (text) => locate(text.slice(0, MAX_TEXT_LENGTH)),
    encode,
    passages: openPassages(encode),
    encoderFor: (text) => encoderOf(toPieces(text)),
    compare: openCompare(rows),
    information: (word) => informationOf(toPieces(word), table.scores),
  };
}

// Long enough to be worth a turn of the event loop, short enough to go unnoticed.
const TURN_MS = 8;

function openPassages(encode: LightEncoder["encode"]): LightEncoder["passages"] {
  return async (texts, signal) => {
    const vectors: Float32Array[] = [];
    let turnEnds = performance.now() + TURN_MS;
    for (const text of texts) {
      vectors.push(encode(text));
      if (performance.now() < turnEnds) continue;
      await yieldToLoop();
      signal?.throwIfAborted();
      turnEnds = performance.now() + TURN_MS;
    }
    return vectors;
  };
}

/** A word that the table does not know counts as rare. */
function informationOf(pieces: readonly number[], scores: Float32Array): number {
  if (pieces.length === 0) return Number.POSITIVE_INFINITY;
  return pieces.reduce((sum, piece) => sum - (scores[piece] as number), 0);
}

/** Decides by the mean over the text's pieces, each counted once. */
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
    return sum < MIN_ENGLISH * count ? "light" : "model";
  };
}

/**
 * Adds up the pieces' rows, weighted by the square root of their counts: a word that occurs ten times means little
 * more.
 */
function openSum({ dimensions, scales, rowOf }: LightTable) {
  const counts = new Int32Array(scales.length);
  return (pieces: readonly number[]): Float32Array => {
    const sum = new Float32Array(dimensions);
    // Loaded first, so that a row that cannot be read leaves no counts behind.
    pieces.forEach(rowOf);
    for (const piece of pieces) counts[piece] = (counts[piece] as number) + 1;
    for (const piece of pieces) {
      const count = counts[piece] as number;
      if (count === 0) continue;
      counts[piece] = 0;
      const weight = Math.sqrt(count) * (scales[piece] as number);
      const { block, from } = rowOf(piece);
      for (let at = 0; at < dimensions; at++) {
        sum[at] = (sum[at] as number) + weight * (block[from + at] as number);
      }
    }
    return sum;
  };
}

function openCut({ trie, scores }: LightTable) {
  const unigram = openUnigram(trie, scores, MAX_TEXT_LENGTH);
  // Most runs of a text are words that came before.
  const known = new Cache<string, readonly number[]>(MAX_KNOWN);
  return (run: Run): readonly number[] => {
    if (run.end - run.start > MAX_KNOWN_LENGTH) return unigram.cut(run);
    const word = run.text.slice(run.start, run.end);
    const cut = known.get(word);
    if (cut) return cut;
    const pieces = unigram.cut(run);
    known.set(word, pieces);
    return pieces;
  };
}

function openCopyRow({ dimensions, scales, rowOf }: LightTable) {
  return (piece: number, into: Float32Array, at: number): number => {
    const { block, from } = rowOf(piece);
    let squares = 0;
    for (let place = 0; place < dimensions; place++)
      squares += (block[from + place] as number) ** 2;
    const length = Math.sqrt(squares) || 1;
    for (let place = 0; place < dimensions; place++) {
      into[at + place] = (block[from + place] as number) / length;
    }
    return length * (scales[piece] as number);
  };
}

function openPieces(cut: (run: Run) => readonly number[]) {
  // A text is first encoded and then assigned to an encoder, so the last result is kept to cut it only once.
  const last: { text: string; pieces: readonly number[] } = { text: "", pieces: [] };
  return (text: string): readonly number[] => {
    if (text === last.text) return last.pieces;
    const found: number[] = [];
    // Cut again after folding, which can turn one character into 18.
    eachRun(fold(text.slice(0, MAX_TEXT_LENGTH)).slice(0, MAX_TEXT_LENGTH), (run) => {
      for (const piece of cut(run)) found.push(piece);
    });
    last.text = text;
    last.pieces = found;
    return found;
  };
}
