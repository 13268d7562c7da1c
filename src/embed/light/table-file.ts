// The file that training/export.py writes, little-endian:
//
//   "KSLIGHT2"   pieces u32   dimensions u32   nodes u32   0 u32
//   scores f32 × pieces        scales f32 × pieces
//   firstChild i32 × (nodes + 1)   pieceAt i32 × nodes   units u16 × nodes, padded to 4        (trie.ts)
//   english i8 × pieces        rows i8 × pieces × dimensions
import { KnowledgeError } from "../../domain/errors.ts";
import type { Trie } from "./trie.ts";

export interface LightTable {
  readonly dimensions: number;
  /** How likely each piece is, as a logarithm. */
  readonly scores: Float32Array;
  /** A row's real values are its bytes times its scale. */
  readonly scales: Float32Array;
  readonly rows: Int8Array;
  /** How English each piece is: in 127ths of the most that one may say (training/english.py). */
  readonly english: Int8Array;
  readonly trie: Trie;
}

const MAGIC = "KSLIGHT2";
const HEADER_BYTES = MAGIC.length + 4 * 4;

/** Views on the bytes, nothing is copied or built: a table is ready as soon as it is read. */
export function readTable(bytes: Uint8Array<ArrayBuffer>): LightTable {
  const { buffer, byteOffset, byteLength } = bytes;
  const header = Buffer.from(buffer, byteOffset, Math.min(byteLength, HEADER_BYTES));
  const isTable = header.length === HEADER_BYTES && header.toString("latin1").startsWith(MAGIC);
  if (!isTable || byteOffset % 4 !== 0) throw damaged();
  const [pieces, dimensions, nodes] = [0, 4, 8].map((at) =>
    header.readUInt32LE(MAGIC.length + at),
  ) as [number, number, number];
  const scoresAt = byteOffset + HEADER_BYTES;
  const scalesAt = scoresAt + pieces * 4;
  const firstChildAt = scalesAt + pieces * 4;
  const pieceAtAt = firstChildAt + (nodes + 1) * 4;
  const unitsAt = pieceAtAt + nodes * 4;
  const englishAt = unitsAt + Math.ceil(nodes / 2) * 4;
  const rowsAt = englishAt + pieces;
  if (rowsAt + pieces * dimensions !== byteOffset + byteLength) throw damaged();
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
    rows: new Int8Array(buffer, rowsAt, pieces * dimensions),
  };
}

function damaged(): KnowledgeError {
  return new KnowledgeError(
    "MODEL_UNAVAILABLE",
    "The light encoder's table is damaged; install the program again.",
  );
}
