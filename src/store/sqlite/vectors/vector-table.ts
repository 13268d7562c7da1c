// All vectors of one length: one bit per dimension in memory, for scanning; the vectors themselves, which are read for the
// nearest by bits, are in the database, and in memory while there is room.
import type { Hit } from "../../store.ts";
import { TopHits } from "../../words/top-hits.ts";
import type { DocMask } from "../thread/filters.ts";
import {
  type BitKernel,
  bitBytes,
  type CodeKernel,
  codeBytes,
  openBitKernel,
  openCodeKernel,
  PAGE_BYTES,
  QUERY_AT,
} from "./kernel.ts";
import { codesOf, packSigns, scaleOf } from "./quantise.ts";

/** Up to this many rows are all scored, which is exact. */
const SCORE_ALL = 2048;
/** Of so many rows, one in eight shows how far to reach for the nearest. */
const SAMPLED_FROM = 100_000;
const SAMPLE_STEP = 8;
/** For vectors that were read. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** How many distances the kernel computes at once. They are behind the query's bits in the first page. */
const SCANNED_AT_ONCE = 16_384;
const DISTANCES_AT = PAGE_BYTES / 2;

/** Vectors by their keys, each as from quantise(); those that are gone are left out. */
type ReadVectors = (
  keys: readonly number[],
) => Promise<readonly (readonly [key: number, vector: Uint8Array])[]>;

export interface VectorQuery {
  readonly vector: Float32Array;
  readonly limit: number;
  readonly mask: DocMask | undefined;
  readonly read: ReadVectors;
}

export class VectorTable {
  readonly #dimensions: number;
  readonly #bitBytes: number;
  readonly #kernel: BitKernel;
  readonly #kept: KeptVectors;
  /** The first row of each group, by its first key. */
  readonly #groups = new Map<number, { readonly row: number; readonly count: number }>();
  #keys = new Uint32Array(1024);
  /** 0 if the row is gone. */
  #docs = new Uint32Array(1024);
  #distances = new Uint16Array(1024);
  #rows = 0;
  #gone = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#bitBytes = bitBytes(dimensions);
    this.#kernel = openBitKernel(dimensions);
    this.#kept = new KeptVectors(dimensions);
  }

  /** All of its vectors fit into what is kept. */
  get hasRoom(): boolean {
    return this.#rows <= this.#kept.room;
  }

  /** More is gone than left. */
  get isMostlyGone(): boolean {
    return this.#gone > SCORE_ALL && this.#gone * 2 > this.#rows;
  }

  /** Adds a group of consecutive keys, or replaces its bits. */
  put(firstKey: number, doc: number, bits: Uint8Array): void {
    const count = bits.length / this.#bitBytes;
    const row = this.#groups.get(firstKey)?.row ?? this.#append(firstKey, doc, count);
    new Uint8Array(this.#kernel.memory.buffer, this.#bitsAt(row), bits.length).set(bits);
    this.#kept.forget(firstKey, count);
  }

  remove(firstKey: number): void {
    const group = this.#groups.get(firstKey);
    if (!group) return;
    this.#groups.delete(firstKey);
    this.#docs.fill(0, group.row, group.row + group.count);
    this.#gone += group.count;
    this.#kept.forget(firstKey, group.count);
  }

  #append(firstKey: number, doc: number, count: number): number {
    const row = this.#rows;
    const end = row + count;
    if (end > this.#keys.length) {
      this.#keys = grown(this.#keys, new Uint32Array(2 * end));
      this.#docs = grown(this.#docs, new Uint32Array(2 * end));
      this.#distances = new Uint16Array(2 * end);
    }
    const { memory } = this.#kernel;
    const missing = this.#bitsAt(end) - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES) + 16);
    for (let at = 0; at < count; at++) this.#keys[row + at] = firstKey + at;
    this.#docs.fill(doc, row, end);
    this.#groups.set(firstKey, { row, count });
    this.#rows = end;
    return row;
  }

  #bitsAt(row: number): number {
    return PAGE_BYTES + row * this.#bitBytes;
  }

  async nearest({ vector, limit, mask, read }: VectorQuery): Promise<Hit[]> {
    const best = new TopHits(limit);
    if (!(Math.hypot(...vector) > 0)) return [];
    const missing: number[] = [];
    this.#kept.ask(vector);
    for (const row of this.#nearestByBits(vector, { limit, mask })) {
      const key = this.#keys[row] as number;
      const score = this.#kept.score(key);
      if (score === undefined) missing.push(key);
      else best.offer(key, score);
    }
    if (missing.length === 0) return best.take();
    const blobs = await read(missing);
    // Another search may have asked while these were read.
    this.#kept.ask(vector);
    for (const [key, blob] of blobs) {
      if (this.keep(key, blob)) best.offer(key, this.#kept.score(key) as number);
    }
    return best.take();
  }

  /** False if it has another length. */
  keep(key: number, blob: Uint8Array): boolean {
    const isOwn = codesOf(blob).length === this.#dimensions;
    if (isOwn) this.#kept.add(key, blob);
    return isOwn;
  }

  /** The rows with the fewest differing bits, with all ties with the last. */
  #nearestByBits(
    query: Float32Array,
    { limit, mask }: Pick<VectorQuery, "limit" | "mask">,
  ): number[] {
    this.#scan(query);
    const [docs, distances, count] = [this.#docs, this.#distances, this.#rows];
    const isAll = mask === undefined && this.#gone === 0;
    const isAllowed = (doc: number) => doc !== 0 && (mask === undefined || mask[doc] === 1);
    const step = count < SAMPLED_FROM ? 1 : SAMPLE_STEP;
    const histogram = new Uint32Array(this.#bitBytes * 8 + 1);
    let allowed = 0;
    for (let row = 0; row < count; row += step) {
      if (!isAll && !isAllowed(docs[row] as number)) continue;
      const distance = distances[row] as number;
      histogram[distance] = (histogram[distance] as number) + 1;
      allowed += step;
    }
    let reach = allowed <= SCORE_ALL ? histogram.length : 0;
    for (let near = candidatesFor(limit); reach < histogram.length; reach++) {
      near -= (histogram[reach] as number) * step;
      if (near <= 0) break;
    }
    const rows: number[] = [];
    for (let row = 0; row < count; row++) {
      if ((distances[row] as number) <= reach && isAllowed(docs[row] as number)) rows.push(row);
    }
    return rows;
  }

  #scan(query: Float32Array): void {
    const { memory, scan } = this.#kernel;
    packSigns(query, new Uint8Array(memory.buffer, QUERY_AT, this.#bitBytes));
    for (let from = 0; from < this.#rows; from += SCANNED_AT_ONCE) {
      const to = Math.min(from + SCANNED_AT_ONCE, this.#rows);
      scan(this.#bitsAt(from), this.#bitsAt(to), DISTANCES_AT);
      this.#distances.set(new Uint16Array(memory.buffer, DISTANCES_AT, to - from), from);
    }
  }
}

/** Vectors that were read, in places that are used again in turn. */
class KeptVectors {
  readonly #width: number;
  readonly #kernel: CodeKernel;
  readonly room: number;
  readonly #places = new Map<number, number>();
  #keys: number[] = [];
  #scales = new Float32Array(0);
  #next = 0;
  /** Turns a product of codes and numbers into a cosine. */
  #unit = 0;

  constructor(dimensions: number) {
    this.#width = codeBytes(dimensions);
    this.#kernel = openCodeKernel(dimensions);
    this.room = Math.floor(KEPT_BYTES / this.#width);
  }

  /** The question of the scores that follow. */
  ask(query: Float32Array): void {
    const largest = query.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const sum = query.reduce((all, value) => all + Math.abs(value), 0);
    // As precise as 16 bits allow without overflowing a 32-bit sum of products.
    const steps = Math.min(32_767 / largest, (2 ** 31 - 1) / (128 * (sum + query.length / 32_767)));
    const numbers = new Int16Array(this.#kernel.memory.buffer, QUERY_AT, query.length);
    for (const [at, value] of query.entries()) numbers[at] = Math.round(value * steps);
    this.#unit = 1 / (steps * Math.hypot(...query));
  }

  /** Undefined if it is not here. */
  score(key: number): number | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    return this.#kernel.dot(this.#codesAt(place)) * (this.#scales[place] as number) * this.#unit;
  }

  forget(firstKey: number, count: number): void {
    if (this.#places.size === 0) return;
    for (let at = 0; at < count; at++) this.#places.delete(firstKey + at);
  }

  add(key: number, blob: Uint8Array): void {
    const place = this.#next;
    this.#next = (place + 1) % this.room;
    if (place >= this.#scales.length) this.#grow(Math.min(this.room, Math.max(1024, 2 * place)));
    const before = this.#keys[place];
    if (before !== undefined && this.#places.get(before) === place) this.#places.delete(before);
    this.#keys[place] = key;
    this.#places.set(key, place);
    const codes = codesOf(blob);
    new Int8Array(this.#kernel.memory.buffer, this.#codesAt(place), codes.length).set(codes);
    this.#scales[place] = scaleOf(blob);
  }

  #grow(count: number): void {
    this.#scales = grown(this.#scales, new Float32Array(count));
    const { memory } = this.#kernel;
    const missing = this.#codesAt(count) - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  }

  #codesAt(place: number): number {
    return PAGE_BYTES + place * this.#width;
  }
}

function grown<Numbers extends { set(from: Numbers): void }>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}

/**
 * Enough to include the true nearest: of the best 10, 50 and 100 in a list of 200 it contains .999, .995 and
 * .985 (20,991 real embeddings). A miss further down the list does not affect what is shown.
 */
function candidatesFor(limit: number): number {
  return 500 + limit * 5;
}
