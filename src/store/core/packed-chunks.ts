// New chunks as few large values instead of many small ones, in memory that another thread may read: sending them copies
// nothing.
import { setImmediate } from "node:timers/promises";
import type { IndexedChunk } from "../ports/documents.ts";
import type { Encoding } from "../refinements.ts";
import type { ChunkDetail } from "./rows.ts";

export interface PackedChunks {
  readonly count: number;
  /** JSON of a few hundred rows each. */
  readonly rows: readonly Uint8Array[];
  readonly dimensions: number;
  /** `dimensions` numbers per chunk; zeros for a chunk without a vector. */
  readonly vectors: Float32Array;
}

interface PackedRow {
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  /** JSON of place, until, headings, tableHeader. */
  readonly detail: string;
  readonly terms: readonly string[];
  readonly encoding: Encoding | undefined;
}

/** Packing this many takes the calling thread a few milliseconds. */
const CHUNKS_AT_ONCE = 500;

export async function packChunks(chunks: readonly IndexedChunk[]): Promise<PackedChunks> {
  const count = chunks.length;
  const dimensions = chunks.find((chunk) => chunk.vector)?.vector?.length ?? 0;
  const vectors = new Float32Array(new SharedArrayBuffer(dimensions * count * 4));
  const rows: Uint8Array[] = [];
  for (let from = 0; from < count; from += CHUNKS_AT_ONCE) {
    if (from > 0) await setImmediate();
    const part = chunks.slice(from, from + CHUNKS_AT_ONCE);
    for (const [at, { vector }] of part.entries())
      if (vector?.length === dimensions) vectors.set(vector, (from + at) * dimensions);
    rows.push(toShared(Buffer.from(JSON.stringify(part.map(toRow)))));
  }
  return { count, rows, dimensions, vectors };
}

export function unpackRows({ rows }: PackedChunks): readonly PackedRow[] {
  return rows.flatMap(({ buffer, byteLength }) => {
    return JSON.parse(Buffer.from(buffer, 0, byteLength).toString()) as PackedRow[];
  });
}

function toShared(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

function toRow(chunk: IndexedChunk): PackedRow {
  const { ordinal, start, end, terms, encoding } = chunk;
  const { place, until, headings, tableHeader } = chunk;
  const detail = JSON.stringify({ place, until, headings, tableHeader } satisfies {
    [Key in keyof ChunkDetail]: ChunkDetail[Key] | undefined;
  });
  return { ordinal, start, end, detail, terms, encoding };
}
