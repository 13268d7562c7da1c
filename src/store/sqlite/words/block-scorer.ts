// Finds the exact BM25 top few without scoring everything: one block of keys at a time, terms that alone cannot
// lift a chunk above the threshold are only looked up for chunks that other terms have found.
//
//   bounds within a block, sorted:   the .2   server .5   token 3.1 | threshold .9
//                                    └ together ≤ .9: looked up ┘   └ scored for all its chunks
import { lengthNorm } from "../../core/bm25.ts";
import type { Hit } from "../../store.ts";
import type { DocMask } from "../documents/filter.ts";
import { BLOCK_SIZE } from "../schema.ts";
import type { KeyBlock, Mirror } from "../vectors/mirror.ts";
import { Best } from "./best.ts";
import { lowOf, timesOf } from "./postings.ts";
import type { BlockPostings, TermPostings } from "./postings-cache.ts";

/** Sums of bounds have rounding errors; some slack keeps the pruning safe. */
const SLACK = 1 + 1e-9;
/** A binary search costs about as much as scoring this many consecutive postings. */
const SEARCH_COST = 8;

export interface ScoredTerm {
  /** From `termFactor`. */
  readonly factor: number;
  readonly postings: TermPostings;
}

interface Part {
  readonly factor: number;
  readonly bound: number;
  readonly postings: BlockPostings;
}

export class BlockScorer {
  readonly #mirror: Mirror;
  readonly #scores = new Float64Array(BLOCK_SIZE);
  readonly #touched = new Uint16Array(BLOCK_SIZE);
  #count = 0;
  #norms = new Float64Array(0);
  #normsFor = -1;

  constructor(mirror: Mirror) {
    this.#mirror = mirror;
  }

  best(terms: readonly ScoredTerm[], limit: number, mask: DocMask | undefined): Hit[] {
    const best = new Best(limit);
    this.#prepareNorms();
    const numbers = new Set(terms.flatMap((term) => [...term.postings.keys()]));
    for (const number of [...numbers].sort((a, b) => a - b)) {
      const block = this.#mirror.blocks.get(number);
      if (block) this.#scoreBlock(block, number, this.#parts(terms, number), { best, mask });
    }
    return best.take();
  }

  /** The score of each of these chunks of a block, even if it is low. */
  scoresOf(terms: readonly ScoredTerm[], number: number, lows: readonly number[]): number[] {
    const block = this.#mirror.blocks.get(number);
    if (!block) return [];
    this.#prepareNorms();
    const parts = this.#parts(terms, number);
    return lows.map((low) => parts.reduce((sum, part) => sum + this.#lookUp(part, block, low), 0));
  }

  #parts(terms: readonly ScoredTerm[], number: number): Part[] {
    const parts: Part[] = [];
    for (const { factor, postings } of terms) {
      const inBlock = postings.get(number);
      if (!inBlock) continue;
      const { mostTimes, leastLength } = inBlock;
      const bound = (factor * mostTimes) / (mostTimes + this.#norm(leastLength));
      parts.push({ factor, bound, postings: inBlock });
    }
    return parts.sort((a, b) => a.bound - b.bound);
  }

  #scoreBlock(
    block: KeyBlock,
    number: number,
    parts: readonly Part[],
    { best, mask }: { readonly best: Best; readonly mask: DocMask | undefined },
  ): void {
    const threshold = best.threshold;
    let looked = 0;
    let rest = 0;
    while (looked < parts.length) {
      const bound = rest + (parts[looked] as Part).bound;
      if (bound * SLACK > threshold) break;
      rest = bound;
      looked++;
    }
    for (let at = parts.length - 1; at >= looked; at--) this.#scoreAll(parts[at] as Part, block);
    for (let at = looked - 1; at >= 0; at--) {
      const part = parts[at] as Part;
      this.#drop(threshold, rest);
      this.#scoreTouched(part, block);
      rest -= part.bound;
    }
    this.#offerTouched(block, number, { best, mask });
  }

  #scoreAll({ factor, postings: { list } }: Part, { lengths }: KeyBlock): void {
    const scores = this.#scores;
    const touched = this.#touched;
    const norms = this.#norms;
    let count = this.#count;
    for (let at = 0; at < list.length; at++) {
      const low = lowOf(list[at] as number);
      const tf = timesOf(list[at] as number);
      const score = scores[low] as number;
      if (score === 0) touched[count++] = low;
      scores[low] = score + (factor * tf) / (tf + (norms[lengths[low] as number] as number));
    }
    this.#count = count;
  }

  #scoreTouched(part: Part, block: KeyBlock): void {
    const scores = this.#scores;
    const { factor, postings } = part;
    const { list } = postings;
    if (this.#count * SEARCH_COST < list.length) {
      for (let at = 0; at < this.#count; at++) {
        const low = this.#touched[at] as number;
        scores[low] = (scores[low] as number) + this.#lookUp(part, block, low);
      }
      return;
    }
    for (let at = 0; at < list.length; at++) {
      const low = lowOf(list[at] as number);
      const score = scores[low] as number;
      if (score === 0) continue;
      const tf = timesOf(list[at] as number);
      scores[low] = score + (factor * tf) / (tf + this.#norm(block.lengths[low] as number));
    }
  }

  /** Drops touched chunks that the remaining terms cannot lift above the threshold. */
  #drop(threshold: number, rest: number): void {
    let kept = 0;
    for (let at = 0; at < this.#count; at++) {
      const low = this.#touched[at] as number;
      if (((this.#scores[low] as number) + rest) * SLACK > threshold) this.#touched[kept++] = low;
      else this.#scores[low] = 0;
    }
    this.#count = kept;
  }

  #offerTouched(
    { docs }: KeyBlock,
    number: number,
    { best, mask }: { readonly best: Best; readonly mask: DocMask | undefined },
  ): void {
    const scores = this.#scores;
    for (let at = 0; at < this.#count; at++) {
      const low = this.#touched[at] as number;
      const score = scores[low] as number;
      scores[low] = 0;
      if (score < best.threshold) continue;
      const doc = docs[low] as number;
      if (doc === 0 || (mask && mask[doc] !== 1)) continue;
      best.offer(number * BLOCK_SIZE + low, score);
    }
    this.#count = 0;
  }

  #lookUp({ factor, postings }: Part, { lengths }: KeyBlock, low: number): number {
    const at = indexOf(postings.list, low);
    if (at < 0) return 0;
    const tf = timesOf(postings.list[at] as number);
    return (factor * tf) / (tf + this.#norm(lengths[low] as number));
  }

  #norm(length: number): number {
    return this.#norms[length] ?? lengthNorm(length, this.#mirror.averageLength);
  }

  #prepareNorms(): void {
    const { averageLength, mostLength } = this.#mirror;
    if (this.#normsFor === averageLength && this.#norms.length > mostLength) return;
    this.#norms = Float64Array.from({ length: mostLength + 1 }, (_, length) =>
      lengthNorm(length, averageLength),
    );
    this.#normsFor = averageLength;
  }
}

/** A chunk's index in a list; -1 when it is not there. */
export function indexOf(list: Uint32Array, low: number): number {
  let from = 0;
  let to = list.length - 1;
  while (from <= to) {
    const middle = (from + to) >> 1;
    const at = lowOf(list[middle] as number);
    if (at === low) return middle;
    if (at < low) from = middle + 1;
    else to = middle - 1;
  }
  return -1;
}
