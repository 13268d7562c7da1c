// All vectors of one length, in memory: a bit a dimension to scan by, a byte a dimension to score with.
// Rows stand in the order of their keys, in blocks that never move.
import type { Hit } from "../store.ts";
import { Best } from "./best.ts";
import type { DocMask } from "./filter.ts";
import { type BitScan, openBitScan, rowWidth } from "./hamming.ts";

const BLOCK_ROWS = 16_384;
const PAGE_BYTES = 65_536;
/** Address 0 up to here holds the query's bits. */
const QUERY_BYTES = PAGE_BYTES;
/** Up to so many rows, scoring each is as fast as scanning bits first, and exact. */
const SCORE_ALL = 4096;

interface Block {
  readonly keys: Uint32Array;
  readonly docs: Uint32Array;
  /** 0: the row was removed. */
  readonly scales: Float32Array;
  readonly codes: Int8Array;
  readonly bitsAt: number;
  readonly distancesAt: number;
  count: number;
}

export class VectorTable {
  readonly #dimensions: number;
  readonly #width: number;
  readonly #scan: BitScan;
  readonly #blocks: Block[] = [];
  #rows = 0;
  #dead = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#width = rowWidth(dimensions);
    this.#scan = openBitScan(this.#width);
  }

  /** `blob`: as quantise() made it. */
  add(firstKey: number, doc: number, blob: Uint8Array): void {
    const dimensions = this.#dimensions;
    const count = blob.length / (dimensions + 4);
    const codes = new Int8Array(blob.buffer, blob.byteOffset, count * dimensions);
    const scales = new DataView(blob.buffer, blob.byteOffset + count * dimensions);
    for (let row = 0; row < count; row++) {
      const scale = scales.getFloat32(row * 4, true);
      if (scale === 0) continue;
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
    block.codes.set(codes, at * this.#dimensions);
    packSigns(codes, this.#bits(block.bitsAt + at * this.#width));
    block.count = at + 1;
    this.#rows++;
  }

  #addBlock(): Block {
    const bitBytes = BLOCK_ROWS * this.#width;
    const bitsAt = QUERY_BYTES + this.#blocks.length * (bitBytes + BLOCK_ROWS * 2);
    const end = bitsAt + bitBytes + BLOCK_ROWS * 2;
    const { memory } = this.#scan;
    const missing = Math.ceil((end - memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) memory.grow(missing);
    const block: Block = {
      keys: new Uint32Array(BLOCK_ROWS),
      docs: new Uint32Array(BLOCK_ROWS),
      scales: new Float32Array(BLOCK_ROWS),
      codes: new Int8Array(BLOCK_ROWS * this.#dimensions),
      bitsAt,
      distancesAt: bitsAt + bitBytes,
      count: 0,
    };
    this.#blocks.push(block);
    return block;
  }

  #bits(at: number): Uint8Array {
    return new Uint8Array(this.#scan.memory.buffer, at, this.#width);
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
    const dimensions = this.#dimensions;
    const old = this.#blocks.map((block) => ({ ...block }));
    for (const block of this.#blocks) block.count = 0;
    this.#rows = 0;
    this.#dead = 0;
    // Rows only move towards the front, so each is read before its place is written.
    for (const { keys, docs, scales, codes, count } of old) {
      for (let at = 0; at < count; at++) {
        const scale = scales[at] as number;
        if (scale === 0) continue;
        const code = codes.slice(at * dimensions, (at + 1) * dimensions);
        this.#append(keys[at] as number, docs[at] as number, scale, code);
      }
    }
    this.#blocks.length = Math.ceil(this.#rows / BLOCK_ROWS);
  }

  nearest(query: Float32Array, limit: number, mask?: DocMask): Hit[] {
    const best = new Best(limit);
    const norm = Math.hypot(...query) || 1;
    const candidates = this.#few(mask) ?? this.#byBits(query, candidatesFor(limit), mask);
    for (const row of candidates) {
      const block = this.#blocks[Math.floor(row / BLOCK_ROWS)] as Block;
      const at = row % BLOCK_ROWS;
      const dot = dotProduct(query, block.codes, at * this.#dimensions);
      best.offer(block.keys[at] as number, (dot * (block.scales[at] as number)) / norm);
    }
    return best.take();
  }

  /** The allowed rows, where they are few enough to score each. */
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

  /** The rows with the fewest differing bits: at least `wanted`, with all that tie with the last. */
  #byBits(query: Float32Array, wanted: number, mask: DocMask | undefined): number[] {
    const { memory, scan } = this.#scan;
    packSigns(query, new Uint8Array(memory.buffer, 0, this.#width));
    const histogram = new Uint32Array(this.#dimensions + 1);
    const distances = this.#blocks.map((block) => {
      scan(block.bitsAt, block.bitsAt + block.count * this.#width, block.distancesAt);
      return new Uint16Array(memory.buffer, block.distancesAt, block.count);
    });
    this.#blocks.forEach((block, number) => {
      countDistances(histogram, distances[number] as Uint16Array, block, mask);
    });
    let reach = 0;
    for (let seen = 0; reach < histogram.length; reach++) {
      seen += histogram[reach] as number;
      if (seen >= wanted) break;
    }
    const rows: number[] = [];
    this.#blocks.forEach((block, number) => {
      collectNear(rows, distances[number] as Uint16Array, { block, number, reach, mask });
    });
    return rows;
  }
}

/** Enough that the true nearest are among them: see the recall figures in docs/benchmarks.md. */
function candidatesFor(limit: number): number {
  return Math.max(400, limit * 12);
}

function countDistances(
  histogram: Uint32Array,
  distances: Uint16Array,
  { docs, scales }: Block,
  mask: DocMask | undefined,
): void {
  for (let at = 0; at < distances.length; at++) {
    if (scales[at] === 0 || (mask && mask[docs[at] as number] !== 1)) continue;
    const distance = distances[at] as number;
    histogram[distance] = (histogram[distance] as number) + 1;
  }
}

function collectNear(
  rows: number[],
  distances: Uint16Array,
  near: { block: Block; number: number; reach: number; mask: DocMask | undefined },
): void {
  const { block, number, reach, mask } = near;
  for (let at = 0; at < distances.length; at++) {
    if ((distances[at] as number) > reach || block.scales[at] === 0) continue;
    if (mask && mask[block.docs[at] as number] !== 1) continue;
    rows.push(number * BLOCK_ROWS + at);
  }
}

function packSigns(values: Int8Array | Float32Array, bits: Uint8Array): void {
  for (let byte = 0, at = 0; byte < bits.length; byte++) {
    let packed = 0;
    for (let bit = 0; bit < 8; bit++, at++) {
      if ((values[at] as number) > 0) packed |= 1 << bit;
    }
    bits[byte] = packed;
  }
}

function dotProduct(query: Float32Array, codes: Int8Array, from: number): number {
  let sum = 0;
  for (let at = 0; at < query.length; at++)
    sum += (query[at] as number) * (codes[from + at] as number);
  return sum;
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
