// The light encoder: text of many languages → a unit vector in the space of all-MiniLM-L6-v2, by adding up one row of a
// table per piece of text. docs/decisions/0012-light-encoder.md says how it was made; training/ makes it again.
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { KnowledgeError } from "../../domain/errors.ts";
import { toUnit } from "../unit.ts";
import { eachRun, fold, type Run } from "./runs.ts";
import { type LightTable, readTable } from "./table-file.ts";
import { openUnigram } from "./unigram.ts";

export interface LightEncoder {
  readonly dimensions: number;
  /** Names the table; vectors made with another one are stale. */
  readonly fingerprint: string;
  /** Of length one; all zero where the text has no letter that the table knows. */
  encode(text: string): Float32Array;
  /** The pieces that are added up, the table's own numbers. */
  pieces(text: string): readonly number[];
}

export const LIGHT_FILE = "light.bin";
export const CHECKSUM_FILE = `${LIGHT_FILE}.sha256`;

// A vector of more than this says nothing any more, and what a hostile text can cost stays bounded.
const LONGEST_TEXT = 32_768;
// Most runs of a text are words that came before. The whole map goes when it is full: cheaper than keeping order.
const CACHED_RUNS = 16_384;
const LONGEST_CACHED_RUN = 24;

export async function openLight(folder: string): Promise<LightEncoder> {
  const [bytes, checksum] = await Promise.all([
    readWhole(join(folder, LIGHT_FILE)),
    readFile(join(folder, CHECKSUM_FILE), "utf8"),
  ]).catch((cause: unknown) => {
    const message = "The light encoder's table is missing; install the program again.";
    throw new KnowledgeError("MODEL_UNAVAILABLE", message, { cause });
  });
  const table = readTable(bytes);
  const toPieces = openPieces(table);
  const sum = openSum(table);
  return {
    dimensions: table.dimensions,
    // Hashing the table anew would take longer than loading it.
    fingerprint: `light:${checksum.slice(0, 8)}`,
    pieces: toPieces,
    encode: (text) => toUnit(sum(toPieces(text))),
  };
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
  return (text: string): readonly number[] => {
    const found: number[] = [];
    // Folding can make a text longer, one character into 18.
    eachRun(fold(text.slice(0, LONGEST_TEXT)).slice(0, LONGEST_TEXT), (run) => {
      for (const piece of cut(run)) found.push(piece);
    });
    return found;
  };
}
