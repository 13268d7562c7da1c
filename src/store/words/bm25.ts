// BM25 as every driver computes it.
//
//   score of a term in a chunk = factor × times / (times + norm)
//   factor = weight × rarity × (K1 + 1)        norm = K1 × (1 − B + B × length / average length)
import { rarity } from "../../text/rarity.ts";

/** How soon repeats of a term stop adding to the score; the usual value. */
const K1 = 1.2;
/** How much longer chunks are penalised. */
const B = 0.75;

/** The maximum that a term can add to a chunk's score. */
export function termFactor(weight: number, frequency: number, chunkCount: number): number {
  return weight * rarity(frequency, chunkCount) * (K1 + 1);
}

export function lengthNorm(length: number, averageLength: number): number {
  return K1 * (1 - B + (B * length) / averageLength);
}
