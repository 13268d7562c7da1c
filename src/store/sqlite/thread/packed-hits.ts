// Messages with hits from the reader.
import type { Hit } from "../../store.ts";

/** Hits as two arrays of numbers, because sending hundreds of small objects would take longer than finding them. */
export interface PackedHits {
  readonly keys: Float64Array;
  readonly scores: Float64Array;
}

export function packHits(hits: readonly Hit[]): PackedHits {
  return {
    keys: Float64Array.from(hits, ({ key }) => key),
    scores: Float64Array.from(hits, ({ score }) => score),
  };
}

export function unpackHits({ keys, scores }: PackedHits): readonly Hit[] {
  return Array.from(keys, (key, at) => ({ key, score: scores[at] as number }));
}
