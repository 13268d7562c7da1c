// New chunks as few large values instead of many small ones; in parts, so that packing never blocks the calling thread for
// long.
import type { IndexedChunk } from "../ports/documents.ts";
import type { Encoding } from "../ports/refinements.ts";
import type { ChunkDetail } from "./rows.ts";

export interface PackedChunks {
  readonly rows: readonly PackedRow[];
  readonly dimensions: number;
  /** `dimensions` numbers per chunk; zeros for a chunk without a vector. */
  readonly vectors: Float32Array<ArrayBuffer>;
}

interface PackedRow {
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  /** JSON of place, until, headings, tableHeader. */
  readonly detail: string;
  /** Joined by NUL, which no term contains. */
  readonly terms: string;
  readonly encoding: Encoding | undefined;
}

/** Chunks per part: packing this many takes the calling thread a few milliseconds. */
const CHUNKS_PER_PART = 500;

/** Parts that fit together: all have the same dimensions. */
export function* packParts(chunks: readonly IndexedChunk[]): Generator<PackedChunks> {
  const dimensions = chunks.find((chunk) => chunk.vector)?.vector?.length ?? 0;
  for (let from = 0; from === 0 || from < chunks.length; from += CHUNKS_PER_PART) {
    yield packChunks(chunks.slice(from, from + CHUNKS_PER_PART), dimensions);
  }
}

export function joinParts(parts: readonly PackedChunks[]): PackedChunks {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const vectors = new Float32Array(parts.reduce((sum, part) => sum + part.vectors.length, 0));
  let at = 0;
  for (const part of parts) {
    vectors.set(part.vectors, at);
    at += part.vectors.length;
  }
  return { rows: parts.flatMap((part) => part.rows), dimensions: only?.dimensions ?? 0, vectors };
}

function packChunks(chunks: readonly IndexedChunk[], dimensions: number): PackedChunks {
  const vectors = new Float32Array(dimensions * chunks.length);
  const rows = chunks.map((chunk, index) => {
    if (chunk.vector?.length === dimensions) vectors.set(chunk.vector, index * dimensions);
    const { place, until, headings, tableHeader } = chunk;
    const detail = JSON.stringify({ place, until, headings, tableHeader } satisfies {
      [Key in keyof ChunkDetail]: ChunkDetail[Key] | undefined;
    });
    const { ordinal, start, end, encoding } = chunk;
    return { ordinal, start, end, detail, terms: chunk.terms.join("\0"), encoding };
  });
  return { rows, dimensions, vectors };
}
