// All vectors of one length, in memory: one bit per dimension for scanning, one byte per dimension for scoring.
// Rows are in the order of their keys, in blocks that never move.
import type { Hit } from "../../store.ts";
import { Best } from "../../words/best.ts";
import type { DocMask } from "../thread/filters.ts";
import { nearestByBits } from "./bit-distances.ts";
import {
  bitBytes,
  codeBytes,
  type Kernel,
  openKernel,
  PAGE_BYTES,
  QUERY_BITS_AT,
  QUERY_NUMBERS_AT,
} from "./kernel.ts";

const BLOCK_ROWS = 16_384;
/** Up to this many rows, scoring all is as fast as scanning bits first, and exact. */
const SCORE_ALL = 4096;

interface Block {
  readonly keys: Uint32Array;
  readonly docs: Uint32Array;
  /** 0 if the row was removed. */
  readonly scales: Float32Array;
  /** Addresses in the kernel's memory. */
  readonly codesAt: number;
  readonly bitsAt: number;
  readonly distancesAt: number;
  count: number;
}

export class VectorTable {
  readonly #dimensions: number;
  readonly #codeBytes: number;
  readonly #bitBytes: number;
  readonly #kernel: Kernel;
  readonly #blocks: Block[] = [];
  #rows = 0;
  #dead = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#codeBytes = codeBytes(dimensions);
    this.#bitBytes = bitBytes(dimensions);
    this.#kernel = openKernel(dimensions);
  }

  /** `blob` comes from quantise(). */
  add(firstKey: number, doc: number, blob: Uint8Array): void {
    const dimensions = this.#dimensions;
    const count = blob.length / (dimensions + 4);
    const codes = new Int8Array(blob.buffer, blob.byteOffset, count * dimensions);
    const scales = new DataView(blob.buffer, blob.byteOffset + count * dimensions);
    for (let row = 0; row < count; row++) {
      const scale = scales.getFloat32(row * 4, true);
      // A chunk without a vector gets a row too, in case one is stored later.
      if (scale === 0) this.#dead++;
      const code = codes.subarray(row * dimensions, (row + 1) * dimensions);
      this.#append(firstKey + row, doc, scale, code);
    }
  }

  #append(key: number, doc: number, scale: number, codes: Int8Array): void {
    const at = this.#rows % BLOCK_ROWS;
    const block = this.#blocks[Math.floor(this.#rows / BLOCK_ROWS)] ?? this.#addBlock();
    block.keys[at] = key;
    block.docs[at] = doc;
    block.scales[at] = scale;
    const codesAt = block.codesAt + at * this.#codeBytes;
    new Int8Array(this.#kernel.memory.buffer, codesAt, codes.length).set(codes);
    this.#kernel.pack(codesAt, block.bitsAt + at * this.#bitBytes);
    block.count = at + 1;
    this.#rows++;
  }

  #addBlock(): Block {
    const rowBytes = this.#codeBytes + this.#bitBytes + 2;
    const codesAt = PAGE_BYTES + this.#blocks.length * BLOCK_ROWS * rowBytes;
    const { memory } = this.#kernel;
    const missing = codesAt + BLOCK_ROWS * rowBytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
    const bitsAt = codesAt + BLOCK_ROWS * this.#codeBytes;
    const block: Block = {
      keys: new Uint32Array(BLOCK_ROWS),
      docs: new Uint32Array(BLOCK_ROWS),
      scales: new Float32Array(BLOCK_ROWS),
      codesAt,
      bitsAt,
      distancesAt: bitsAt + BLOCK_ROWS * this.#bitBytes,
      count: 0,
    };
    this.#blocks.push(block);
    return block;
  }

  /** Replaces the vector of a key by one made by quantise(). False if the key has no place here. */
  set(key: number, blob: Uint8Array): boolean {
    const dimensions = this.#dimensions;
    const block = this.#blocks.find(({ keys, count }) => (keys[count - 1] ?? 0) >= key);
    const at = block ? lowerBound(block.keys, block.count, key) : 0;
    if (block?.keys[at] !== key) return false;
    const scale = new DataView(blob.buffer, blob.byteOffset + dimensions).getFloat32(0, true);
    if (block.scales[at] === 0) this.#dead--;
    if (scale === 0) this.#dead++;
    block.scales[at] = scale;
    const codesAt = block.codesAt + at * this.#codeBytes;
    const codes = new Int8Array(blob.buffer, blob.byteOffset, dimensions);
    new Int8Array(this.#kernel.memory.buffer, codesAt, dimensions).set(codes);
    this.#kernel.pack(codesAt, block.bitsAt + at * this.#bitBytes);
    return true;
  }

  remove(firstKey: number, lastKey: number): void {
    for (const { keys, scales, count } of this.#blocks) {
      if (count === 0 || (keys[count - 1] as number) < firstKey) continue;
      if ((keys[0] as number) > lastKey) return;
      for (let at = lowerBound(keys, count, firstKey); at < count; at++) {
        if ((keys[at] as number) > lastKey) return;
        if (scales[at] !== 0) this.#dead++;
        scales[at] = 0;
      }
    }
  }

  /** Closes the gaps once half of the rows are gone. */
  compact(): void {
    if (this.#dead < SCORE_ALL || this.#dead * 2 < this.#rows) return;
    const codes = (at: number) =>
      new Int8Array(this.#kernel.memory.buffer, at, this.#dimensions).slice();
    const old = this.#blocks.map((block) => ({ ...block }));
    for (const block of this.#blocks) block.count = 0;
    this.#rows = 0;
    this.#dead = 0;
    // Rows only move towards the front, so each is read before its place is written.
    for (const { keys, docs, scales, codesAt, count } of old) {
      for (let at = 0; at < count; at++) {
        const scale = scales[at] as number;
        if (scale === 0) continue;
        const code = codes(codesAt + at * this.#codeBytes);
        this.#append(keys[at] as number, docs[at] as number, scale, code);
      }
    }
    this.#blocks.length = Math.ceil(this.#rows / BLOCK_ROWS);
  }

  nearest(query: Float32Array, limit: number, mask?: DocMask): Hit[] {
    const best = new Best(limit);
    const unit = this.#setQuery(query);
    const { dot } = this.#kernel;
    for (const row of this.#few(mask) ?? this.#byBits(candidatesFor(limit), mask)) {
      const block = this.#blocks[Math.floor(row / BLOCK_ROWS)] as Block;
      const at = row % BLOCK_ROWS;
      const product = dot(block.codesAt + at * this.#codeBytes);
      const score = product * (block.scales[at] as number) * unit;
      // The score is compared first, because reading the key costs another memory access.
      if (score >= best.threshold) best.offer(block.keys[at] as number, score);
    }
    return best.take();
  }

  /** Copies the query to the kernel; returns the factor that normalises its products. */
  #setQuery(query: Float32Array): number {
    const { buffer } = this.#kernel.memory;
    packSigns(query, new Uint8Array(buffer, QUERY_BITS_AT, this.#bitBytes));
    let squares = 0;
    let largest = 0;
    let sum = 0;
    for (const value of query) {
      squares += value * value;
      largest = Math.max(largest, Math.abs(value));
      sum += Math.abs(value);
    }
    if (!(squares > 0)) return 0;
    // As precise as 16 bits allow without overflowing a 32-bit sum of products.
    const steps = Math.min(32_767 / largest, (2 ** 31 - 1) / (128 * (sum + query.length / 32_767)));
    const numbers = new Int16Array(buffer, QUERY_NUMBERS_AT, query.length);
    for (let at = 0; at < query.length; at++)
      numbers[at] = Math.round((query[at] as number) * steps);
    return 1 / (steps * Math.sqrt(squares));
  }

  /** The allowed rows, if there are few enough to score all. */
  #few(mask: DocMask | undefined): number[] | undefined {
    if (!mask && this.#rows - this.#dead > SCORE_ALL) return undefined;
    const rows: number[] = [];
    for (const [number, { docs, scales, count }] of this.#blocks.entries()) {
      for (let at = 0; at < count; at++) {
        if (scales[at] === 0 || (mask && mask[docs[at] as number] !== 1)) continue;
        if (rows.length === SCORE_ALL) return undefined;
        rows.push(number * BLOCK_ROWS + at);
      }
    }
    return rows;
  }

  /** The rows with the fewest differing bits: at least `wanted`, including all ties with the last. */
  #byBits(wanted: number, mask: DocMask | undefined): number[] {
    const { memory, scan } = this.#kernel;
    const scanned = this.#blocks.map(({ bitsAt, count, distancesAt, docs, scales }, number) => {
      scan(bitsAt, bitsAt + count * this.#bitBytes, distancesAt);
      const distances = new Uint16Array(memory.buffer, distancesAt, count);
      return { firstRow: number * BLOCK_ROWS, docs, scales, distances };
    });
    return nearestByBits(scanned, { wanted, mask, dimensions: this.#dimensions });
  }
}

/**
 * Enough to include the true nearest: of the best 10, 50 and 100 in a list of 200 it contains .999, .995 and
 * .985 (20,991 real embeddings). A miss further down the list does not affect what is shown.
 */
function candidatesFor(limit: number): number {
  return 400 + limit * 4;
}

function packSigns(values: Float32Array, bits: Uint8Array): void {
  bits.fill(0);
  values.forEach((value, at) => {
    if (value > 0) bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
  });
}

function lowerBound(keys: Uint32Array, count: number, key: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as number) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
