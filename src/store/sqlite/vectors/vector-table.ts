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
    this.#kept.forget(row, count);
  }

  remove(firstKey: number): void {
    const group = this.#groups.get(firstKey);
    if (!group) return;
    this.#groups.delete(firstKey);
    this.#docs.fill(0, group.row, group.row + group.count);
    this.#gone += group.count;
    this.#kept.forget(group.row, group.count);
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
    const rows = this.#nearestByBits(vector, { limit, mask });
    const offer = (row: number) => best.offer(this.#keys[row] as number, this.#kept.score(row));
    this.#kept.ask(vector);
    const missing = new Map<number, number>();
    for (const row of rows) {
      if (this.#kept.has(row)) offer(row);
      else missing.set(this.#keys[row] as number, row);
    }
    if (missing.size === 0) return best.take();
    const blobs = await read([...missing.keys()]);
    // Another search may have asked while these were read.
    this.#kept.ask(vector);
    for (const [key, blob] of blobs) {
      const row = missing.get(key) as number;
      if (this.#keep(row, blob)) offer(row);
    }
    return best.take();
  }

  /** Vectors that a search would otherwise read first; `from` returns pages of them. */
  async fill(from: AsyncIterable<readonly (readonly [key: number, vector: Uint8Array])[]>) {
    const rowOf = new Map<number, number>();
    for (let row = 0; row < this.#rows; row++) rowOf.set(this.#keys[row] as number, row);
    for await (const page of from) {
      for (const [key, blob] of page) {
        const row = rowOf.get(key);
        if (row !== undefined) this.#keep(row, blob);
      }
    }
  }

  /** False if it has another length. */
  #keep(row: number, blob: Uint8Array): boolean {
    const isOwn = codesOf(blob).length === this.#dimensions;
    if (isOwn) this.#kept.add(row, blob);
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
  /** Of each row of the table, its place plus 1; 0 if it is not here. */
  #places = new Uint32Array(1024);
  /** The row in each place. */
  readonly #rows: number[] = [];
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

  has(row: number): boolean {
    return (this.#places[row] ?? 0) > 0;
  }

  /** Of a row that is here. */
  score(row: number): number {
    const place = (this.#places[row] as number) - 1;
    return this.#kernel.dot(this.#codesAt(place)) * (this.#scales[place] as number) * this.#unit;
  }

  forget(row: number, count: number): void {
    this.#places.fill(0, row, row + count);
  }

  add(row: number, blob: Uint8Array): void {
    const place = this.#next;
    this.#next = (place + 1) % this.room;
    if (place >= this.#scales.length) this.#grow(Math.min(this.room, Math.max(1024, 2 * place)));
    if (row >= this.#places.length)
      this.#places = grown(this.#places, new Uint32Array(2 * (row + 1)));
    const before = this.#rows[place];
    if (before !== undefined && this.#places[before] === place + 1) this.#places[before] = 0;
    this.#rows[place] = row;
    this.#places[row] = place + 1;
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
