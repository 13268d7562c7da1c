// How chunks travel to the writer: few large values instead of many small ones, so that the calling
// thread spends little time on copying.
import type { Chunk } from "../../domain/document.ts";
import type { IndexedChunk } from "../store.ts";

export interface PackedChunks {
  readonly rows: readonly PackedRow[];
  readonly dimensions: number;
  /** `dimensions` numbers a chunk; zeros where a chunk has no vector. */
  readonly vectors: Float32Array<ArrayBuffer>;
}

export interface PackedRow {
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  /** JSON of place, until, headings, tableHeader. */
  readonly detail: string;
  /** Joined by NUL, which no term holds. */
  readonly terms: string;
}

export type ChunkDetail = Pick<Chunk, "place" | "until" | "headings" | "tableHeader">;

export function packChunks(chunks: readonly IndexedChunk[]): PackedChunks {
  const dimensions = chunks.find((chunk) => chunk.vector)?.vector?.length ?? 0;
  const vectors = new Float32Array(dimensions * chunks.length);
  const rows = chunks.map((chunk, index) => {
    if (chunk.vector?.length === dimensions) vectors.set(chunk.vector, index * dimensions);
    const { place, until, headings, tableHeader } = chunk;
    const detail = JSON.stringify({ place, until, headings, tableHeader } satisfies {
      [Key in keyof ChunkDetail]: ChunkDetail[Key] | undefined;
    });
    const { ordinal, start, end } = chunk;
    return { ordinal, start, end, detail, terms: chunk.terms.join("\0") };
  });
  return { rows, dimensions, vectors };
}
