// The file that training/export.py writes, little-endian:
//
//   "KSLIGHT2"   pieces u32   dimensions u32   nodes u32   0 u32
//   scores f32 × pieces        scales f32 × pieces
//   firstChild i32 × (nodes + 1)   pieceAt i32 × nodes   units u16 × nodes, padded to 4        (trie.ts)
//   english i8 × pieces        rows i8 × pieces × dimensions
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Trie } from "./trie.ts";

export interface LightTable {
  readonly dimensions: number;
  /** The log probability of each piece. */
  readonly scores: Float32Array;
  /** A row's real values are its bytes times its scale. */
  readonly scales: Float32Array;
  /**
   * Where a piece's row is. Rows are read in blocks when they are needed, not all at once: a question has a dozen pieces,
   * and all rows together are 24 MB.
   */
  rowOf(piece: number): { readonly block: Int8Array; readonly from: number };
  /** How English each piece is, in 127ths of the maximum (training/english.py). */
  readonly english: Int8Array;
  readonly trie: Trie;
}

const MAGIC = "KSLIGHT2";
const HEADER_BYTES = MAGIC.length + 4 * 4;
// About twelve kilobytes: little to read for one row, and few reads for all of them.
const ROWS_PER_BLOCK = 32;

/** The file stays open, so that rows read later still belong to this table after an upgrade has replaced it. */
export function openTable(path: string): LightTable {
  const file = openFile(path);
  try {
    return readTable(file);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, "r");
  } catch (cause) {
    const message = "The light encoder's table is missing; install the program again.";
    throw new KnowledgeError("MODEL_UNAVAILABLE", message, { cause });
  }
}

/**
 * Creates views on the bytes before the rows without copying or building anything, so the table is ready once they
 * are read.
 */
function readTable(file: number): LightTable {
  const { size } = fstatSync(file);
  if (size < HEADER_BYTES) throw damaged();
  const header = Buffer.from(readAt(file, 0, HEADER_BYTES));
  if (!header.toString("latin1").startsWith(MAGIC)) throw damaged();
  const [pieces, dimensions, nodes] = [0, 4, 8].map((at) =>
    header.readUInt32LE(MAGIC.length + at),
  ) as [number, number, number];
  const scoresAt = HEADER_BYTES;
  const scalesAt = scoresAt + pieces * 4;
  const firstChildAt = scalesAt + pieces * 4;
  const pieceAtAt = firstChildAt + (nodes + 1) * 4;
  const unitsAt = pieceAtAt + nodes * 4;
  const englishAt = unitsAt + Math.ceil(nodes / 2) * 4;
  const rowsAt = englishAt + pieces;
  if (rowsAt + pieces * dimensions !== size) throw damaged();
  const buffer = readAt(file, 0, rowsAt);
  return {
    dimensions,
    scores: new Float32Array(buffer, scoresAt, pieces),
    scales: new Float32Array(buffer, scalesAt, pieces),
    trie: {
      firstChild: new Int32Array(buffer, firstChildAt, nodes + 1),
      pieceAt: new Int32Array(buffer, pieceAtAt, nodes),
      units: new Uint16Array(buffer, unitsAt, nodes),
    },
    english: new Int8Array(buffer, englishAt, pieces),
    rowOf: openRows(file, { rowsAt, pieces, dimensions }),
  };
}

interface RowPlaces {
  readonly rowsAt: number;
  readonly pieces: number;
  readonly dimensions: number;
}

function openRows(file: number, { rowsAt, pieces, dimensions }: RowPlaces): LightTable["rowOf"] {
  const count = Math.ceil(pieces / ROWS_PER_BLOCK);
  const blocks = new Array<Int8Array | undefined>(count).fill(undefined);
  const load = (at: number) => {
    const first = at * ROWS_PER_BLOCK;
    const length = Math.min(ROWS_PER_BLOCK, pieces - first) * dimensions;
    return new Int8Array(readAt(file, rowsAt + first * dimensions, length));
  };
  return (piece) => {
    const at = Math.floor(piece / ROWS_PER_BLOCK);
    const block = blocks[at] ?? load(at);
    blocks[at] = block;
    return { block, from: (piece % ROWS_PER_BLOCK) * dimensions };
  };
}

function readAt(file: number, position: number, length: number): ArrayBuffer {
  // Not from Node's shared pool, because the views must begin at the start of the buffer.
  const { buffer } = Buffer.allocUnsafeSlow(length);
  const bytes = new Uint8Array(buffer);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, position + filled);
    if (count === 0) throw damaged();
    filled += count;
  }
  return buffer;
}

function damaged(): KnowledgeError {
  return new KnowledgeError(
    "MODEL_UNAVAILABLE",
    "The light encoder's table is damaged; install the program again.",
  );
}
