// Finds the exact BM25 top few without scoring everything: one segment at a time, terms that alone cannot
// lift a chunk above the threshold are only looked up for chunks that other terms have found.
//
//   bounds within a segment, sorted:   the .2   server .5   token 3.1 | threshold .9
//                                    └ together ≤ .9: looked up ┘   └ scored for all its chunks
import type { Hit } from "../store.ts";
import { lengthNorm } from "./bm25.ts";
import { placeOf, timesOf } from "./format/segment.ts";
import type { IndexSnapshot, LoadedSegment } from "./index-snapshot.ts";
import type { SegmentPostings, TermPostings } from "./term-postings.ts";
import { TopHits } from "./top-hits.ts";

/** Sums of bounds have rounding errors; some slack keeps the pruning safe. */
const SLACK = 1 + 1e-6;
/** A binary search costs about as much as scoring this many consecutive postings. */
const SEARCH_COST = 8;
/**
 * Sums depend on the order of their terms in the last digits. Without them, equal chunks are in the order of their keys
 * wherever they are stored.
 */
const PRECISION = 2 ** 32;

export interface ScoredTerm {
  /** From `termFactor`. */
  readonly factor: number;
  readonly postings: TermPostings;
}

interface Part {
  readonly factor: number;
  readonly bound: number;
  readonly postings: SegmentPostings;
}

/** Whether a chunk may be a hit, given its key and its document. */
export type Allows = (key: number, doc: number) => boolean;

export class SegmentScorer {
  #scores = new Float64Array(0);
  #touched = new Uint32Array(0);
  #count = 0;
  #norms = new Float64Array(0);
  #normsFor: IndexSnapshot | undefined;

  /** Call it without waiting in between: the scorer belongs to one search at a time. */
  best(
    snapshot: IndexSnapshot,
    terms: readonly ScoredTerm[],
    { limit, allows }: { readonly limit: number; readonly allows: Allows },
  ): Hit[] {
    const best = new TopHits(limit);
    this.#prepare(snapshot);
    for (const segment of snapshot.segments) {
      const parts = this.#parts(terms, segment);
      if (parts.length > 0) this.#scoreSegment(segment, parts, { best, allows });
    }
    return best.take();
  }

  /** The score of each of these chunks of a segment, even if it is low. */
  scoresOf(
    snapshot: IndexSnapshot,
    terms: readonly ScoredTerm[],
    { segment, places }: { readonly segment: LoadedSegment; readonly places: readonly number[] },
  ): number[] {
    this.#prepare(snapshot);
    const parts = this.#parts(terms, segment);
    return places.map((place) =>
      rounded(parts.reduce((sum, part) => sum + this.#lookUp(part, segment, place), 0)),
    );
  }

  #parts(terms: readonly ScoredTerm[], segment: LoadedSegment): Part[] {
    const parts: Part[] = [];
    for (const { factor, postings } of terms) {
      const inSegment = postings.segments.get(segment)?.postings;
      if (!inSegment) continue;
      const { maxTimes, minLength } = inSegment;
      const bound = (factor * maxTimes) / (maxTimes + this.#norm(minLength));
      parts.push({ factor, bound, postings: inSegment });
    }
    return parts.sort((a, b) => a.bound - b.bound);
  }

  #scoreSegment(
    segment: LoadedSegment,
    parts: readonly Part[],
    { best, allows }: { readonly best: TopHits; readonly allows: Allows },
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
    for (let at = parts.length - 1; at >= looked; at--) this.#scoreAll(parts[at] as Part, segment);
    for (let at = looked - 1; at >= 0 && this.#count > 0; at--) {
      const part = parts[at] as Part;
      this.#drop(threshold, rest);
      this.#scoreTouched(part, segment);
      rest -= part.bound;
    }
    this.#offerTouched(segment, { best, allows });
  }

  #scoreAll({ factor, postings: { list } }: Part, { lengths }: LoadedSegment): void {
    const scores = this.#scores;
    const touched = this.#touched;
    const norms = this.#norms;
    let count = this.#count;
    for (let at = 0; at < list.length; at++) {
      const place = placeOf(list[at] as number);
      const times = timesOf(list[at] as number);
      const score = scores[place] as number;
      if (score === 0) touched[count++] = place;
      scores[place] =
        score + (factor * times) / (times + (norms[lengths[place] as number] as number));
    }
    this.#count = count;
  }

  #scoreTouched(part: Part, segment: LoadedSegment): void {
    const scores = this.#scores;
    const { factor, postings } = part;
    const { list } = postings;
    if (this.#count * SEARCH_COST < list.length) {
      for (let at = 0; at < this.#count; at++) {
        const place = this.#touched[at] as number;
        scores[place] = (scores[place] as number) + this.#lookUp(part, segment, place);
      }
      return;
    }
    for (let at = 0; at < list.length; at++) {
      const place = placeOf(list[at] as number);
      const score = scores[place] as number;
      if (score === 0) continue;
      const times = timesOf(list[at] as number);
      scores[place] =
        score + (factor * times) / (times + this.#norm(segment.lengths[place] as number));
    }
  }

  /** Drops touched chunks that the remaining terms cannot lift above the threshold. */
  #drop(threshold: number, rest: number): void {
    let kept = 0;
    for (let at = 0; at < this.#count; at++) {
      const place = this.#touched[at] as number;
      const score = this.#scores[place] as number;
      if ((score + rest) * SLACK > threshold) this.#touched[kept++] = place;
      else this.#scores[place] = 0;
    }
    this.#count = kept;
  }

  #offerTouched(
    { keys, docs }: LoadedSegment,
    { best, allows }: { readonly best: TopHits; readonly allows: Allows },
  ): void {
    const scores = this.#scores;
    let { threshold } = best;
    for (let at = 0; at < this.#count; at++) {
      const place = this.#touched[at] as number;
      const score = scores[place] as number;
      scores[place] = 0;
      if (score * SLACK < threshold) continue;
      const key = keys[place] as number;
      if (!allows(key, docs[place] as number)) continue;
      best.offer(key, rounded(score));
      threshold = best.threshold;
    }
    this.#count = 0;
  }

  #lookUp({ factor, postings }: Part, { lengths }: LoadedSegment, place: number): number {
    const at = indexOf(postings.list, place);
    if (at < 0) return 0;
    const times = timesOf(postings.list[at] as number);
    return (factor * times) / (times + this.#norm(lengths[place] as number));
  }

  #norm(length: number): number {
    return this.#norms[length] as number;
  }

  #prepare(snapshot: IndexSnapshot): void {
    if (this.#normsFor === snapshot) return;
    const { averageLength, maxLength } = snapshot;
    this.#normsFor = snapshot;
    const most = snapshot.segments[0]?.keys.length ?? 0;
    if (most > this.#scores.length) {
      this.#scores = new Float64Array(most);
      this.#touched = new Uint32Array(most);
    }
    this.#norms = Float64Array.from({ length: maxLength + 1 }, (_, length) =>
      lengthNorm(length, averageLength),
    );
  }
}

function rounded(score: number): number {
  return Math.round(score * PRECISION) / PRECISION;
}

/** A chunk's index in a list; -1 when it is not there. */
export function indexOf(list: Uint32Array, place: number): number {
  let from = 0;
  let to = list.length - 1;
  while (from <= to) {
    const middle = (from + to) >> 1;
    const at = placeOf(list[middle] as number);
    if (at === place) return middle;
    if (at < place) from = middle + 1;
    else to = middle - 1;
  }
  return -1;
}
