// The reader's memory: for each chunk its document and length, and all vectors. It follows the database by
// two numbers: keys only grow, and every removal is logged.
import type { Database } from "../database.ts";
import { BLOCK_SIZE } from "../schema.ts";
import { blockOf } from "../words/postings.ts";
import { VectorTable } from "./vector-table.ts";

/** One block of keys; a document of 0 says that there is no such chunk. */
export interface KeyBlock {
  readonly docs: Uint32Array;
  readonly lengths: Uint32Array;
  live: number;
}

interface StateRow {
  readonly changes: number;
  readonly next_key: number;
  readonly chunks: number;
  readonly total_length: number;
  readonly removals: number;
  readonly removals_dropped: number;
}

export class Mirror {
  readonly blocks = new Map<number, KeyBlock>();
  readonly vectors = new Map<number, VectorTable>();
  chunkCount = 0;
  averageLength = 0;
  mostLength = 0;
  nextKey = 0;
  /** Changes when everything is loaded anew. */
  generation = 0;
  /** Grows with every change to documents. */
  version = 0;
  readonly #database: Database;
  #removals = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Inside a read transaction: brings the memory to what that transaction sees. */
  follow(): void {
    const state = this.#database.get<StateRow>(
      "SELECT changes, next_key, chunks, total_length, removals, removals_dropped FROM state",
    ) as StateRow;
    if (state.changes === this.version) return;
    if (this.#removals < state.removals_dropped) this.#forget();
    else if (state.removals > this.#removals) this.#followRemovals();
    this.#loadSegments();
    for (const table of this.vectors.values()) table.compact();
    this.chunkCount = state.chunks;
    this.averageLength = state.chunks === 0 ? 0 : state.total_length / state.chunks;
    this.nextKey = state.next_key;
    this.#removals = state.removals;
    this.version = state.changes;
  }

  #forget(): void {
    this.blocks.clear();
    this.vectors.clear();
    this.nextKey = 0;
    this.generation++;
  }

  #followRemovals(): void {
    const removals = this.#database.all<{ first_key: number; last_key: number }>(
      "SELECT first_key, last_key FROM removals WHERE seq > ?",
      this.#removals,
    );
    for (const { first_key: first, last_key: last } of removals) {
      this.#removeKeys(first, Math.min(last, this.nextKey - 1));
      for (const table of this.vectors.values()) table.remove(first, last);
    }
  }

  #removeKeys(first: number, last: number): void {
    for (const [number, block] of this.blocks) {
      const base = number * BLOCK_SIZE;
      const from = Math.max(first - base, 0);
      const to = Math.min(last - base, BLOCK_SIZE - 1);
      for (let low = from; low <= to; low++) {
        if (block.docs[low] === 0) continue;
        block.docs[low] = 0;
        block.live--;
      }
      if (block.live === 0 && number < blockOf(this.nextKey)) this.blocks.delete(number);
    }
  }

  #loadSegments(): void {
    const segments = this.#database
      .rows(
        "SELECT first_key, doc, lengths, dimensions, vectors FROM segments WHERE first_key >= ? ORDER BY first_key",
      )
      .iterate(this.nextKey) as unknown as Iterable<
      [number, number, Uint8Array, number, Uint8Array | null]
    >;
    for (const [firstKey, doc, lengthBytes, dimensions, vectors] of segments) {
      const lengths = new Uint32Array(lengthBytes.buffer, lengthBytes.byteOffset);
      lengths.forEach((length, index) => {
        this.#addKey(firstKey + index, doc, length);
      });
      if (vectors === null) continue;
      const table = this.vectors.get(dimensions) ?? new VectorTable(dimensions);
      this.vectors.set(dimensions, table);
      table.add(firstKey, doc, vectors);
    }
  }

  #addKey(key: number, doc: number, length: number): void {
    const number = blockOf(key);
    let block = this.blocks.get(number);
    if (!block) {
      block = { docs: new Uint32Array(BLOCK_SIZE), lengths: new Uint32Array(BLOCK_SIZE), live: 0 };
      this.blocks.set(number, block);
    }
    const low = key - number * BLOCK_SIZE;
    block.docs[low] = doc;
    block.lengths[low] = length;
    block.live++;
    if (length > this.mostLength) this.mostLength = length;
  }
}
