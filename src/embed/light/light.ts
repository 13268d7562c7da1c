// The light encoder: text of many languages → a unit vector in the space of all-MiniLM-L6-v2, by adding up one row of a
// table per piece of text. docs/decisions/0012-light-encoder.md says how it was made; training/ makes it again.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { KnowledgeError } from "../../domain/errors.ts";
import { toUnit } from "../unit.ts";
import { eachRun, fold, type Run } from "./runs.ts";
import { type LightTable, readTable } from "./table-file.ts";
import { openUnigram } from "./unigram.ts";

export interface LightEncoder {
  readonly dimensions: number;
  /** Of length one; all zero where the text has no letter that the table knows. */
  encode(text: string): Float32Array;
  /** Which encoder reads the text better: the model reads English, and whatever the table does not know. */
  reader(text: string): Reader;
  /** The pieces that are added up, the table's own numbers. */
  pieces(text: string): readonly number[];
}

export type Reader = "model" | "light";

export const LIGHT_FILE = "light.bin";

// A vector of more than this says nothing any more, and what a hostile text can cost stays bounded.
const LONGEST_TEXT = 32_768;
// Most runs of a text are words that came before. The whole map goes when it is full: cheaper than keeping order.
const CACHED_RUNS = 65_536;
const LONGEST_CACHED_RUN = 24;
// In 127ths, as the table has them. Of the development sets' English chunks 99 in 100 are above it, of those in other
// languages one in 100, code aside.
const LEAST_ENGLISH = -21;

export async function openLight(folder: string): Promise<LightEncoder> {
  const bytes = await readWhole(join(folder, LIGHT_FILE)).catch((cause: unknown) => {
    const message = "The light encoder's table is missing; install the program again.";
    throw new KnowledgeError("MODEL_UNAVAILABLE", message, { cause });
  });
  const table = readTable(bytes);
  const toPieces = openPieces(table);
  const sum = openSum(table);
  return {
    dimensions: table.dimensions,
    pieces: toPieces,
    encode: (text) => toUnit(sum(toPieces(text))),
    reader: (text) => readerOf(new Set(toPieces(text)), table.english),
  };
}

function readerOf(pieces: ReadonlySet<number>, english: Int8Array): Reader {
  let sum = 0;
  for (const piece of pieces) sum += english[piece] as number;
  return sum < LEAST_ENGLISH * pieces.size ? "light" : "model";
}

/** In one read: in the parts that `readFile` asks for, 26 MB take three times as long. */
async function readWhole(path: string): Promise<Uint8Array<ArrayBuffer>> {
  await using file = await open(path);
  const { size } = await file.stat();
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Adds up the pieces' rows, each by the root of how often it occurs: a word said ten times means little more. */
function openSum({ dimensions, rows, scales }: LightTable) {
  const counts = new Int32Array(scales.length);
  return (pieces: readonly number[]): Float32Array => {
    const sum = new Float32Array(dimensions);
    for (const piece of pieces) counts[piece] = (counts[piece] as number) + 1;
    for (const piece of pieces) {
      const count = counts[piece] as number;
      if (count === 0) continue;
      counts[piece] = 0;
      const weight = Math.sqrt(count) * (scales[piece] as number);
      const from = piece * dimensions;
      for (let at = 0; at < dimensions; at++) {
        sum[at] = (sum[at] as number) + weight * (rows[from + at] as number);
      }
    }
    return sum;
  };
}

function openPieces({ trie, scores }: LightTable) {
  const unigram = openUnigram(trie, scores, LONGEST_TEXT);
  const cache = new Map<string, readonly number[]>();
  const cut = (run: Run): readonly number[] => {
    if (run.end - run.start > LONGEST_CACHED_RUN) return unigram.cut(run);
    const key = run.text.slice(run.start, run.end);
    const cached = cache.get(key);
    if (cached) return cached;
    const found = unigram.cut(run);
    if (cache.size >= CACHED_RUNS) cache.clear();
    // A slice would keep the whole text alive.
    cache.set(Buffer.from(key, "utf16le").toString("utf16le"), found);
    return found;
  };
  // A text is encoded and then asked for its reader: it is cut once.
  const last: { text: string; pieces: readonly number[] } = { text: "", pieces: [] };
  return (text: string): readonly number[] => {
    if (text === last.text) return last.pieces;
    const found: number[] = [];
    // Folding can make a text longer, one character into 18.
    eachRun(fold(text.slice(0, LONGEST_TEXT)).slice(0, LONGEST_TEXT), (run) => {
      for (const piece of cut(run)) found.push(piece);
    });
    last.text = text;
    last.pieces = found;
    return found;
  };
}
