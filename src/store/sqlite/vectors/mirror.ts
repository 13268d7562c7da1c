// The reader's in-memory copy of each chunk's document, length and vector. It follows the database by
// three numbers: keys only grow, every removal is logged, and refined vectors have the number of their change.
import type { Database } from "../database.ts";
import { openHasEncodings } from "../refinement/encodings.ts";
import { BLOCK_SIZE } from "../schema.ts";
import { blockOf } from "../words/postings.ts";
import { eachVector } from "./quantise.ts";
import { VectorTable } from "./vector-table.ts";

/** One block of keys; document 0 means that there is no such chunk. */
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
  /** Changes when everything is reloaded. */
  generation = 0;
  /** Grows with every change to documents. */
  version = 0;
  readonly #database: Database;
  readonly #hasEncodings: () => boolean;
  #removals = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#hasEncodings = openHasEncodings(database);
  }

  /** Inside a read transaction: updates the copy to what that transaction sees. */
  follow(): void {
    const state = this.#database.get<StateRow>(
      "SELECT changes, next_key, chunks, total_length, removals, removals_dropped FROM state",
    ) as StateRow;
    if (state.changes === this.version) return;
    if (this.#removals < state.removals_dropped) this.#forget();
    else if (state.removals > this.#removals) this.#followRemovals();
    const known = this.nextKey;
    this.#loadSegments();
    if (!this.#followRefined(known)) {
      this.#forget();
      this.#loadSegments();
      this.#followRefined(0);
    }
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

  /** Keys below `known` were loaded before. False if a vector has no place yet, so that everything must be reloaded. */
  #followRefined(known: number): boolean {
    if (!this.#hasEncodings()) return true;
    const since = known === 0 ? 0 : this.version;
    const segments = this.#database
      .rows(
        `SELECT first_key, dimensions, vectors FROM segments JOIN encodings USING (first_key)
         WHERE changed > ? AND first_key < ? AND vectors IS NOT NULL`,
      )
      .iterate(since, known) as unknown as Iterable<[number, number, Uint8Array]>;
    let isComplete = true;
    for (const [firstKey, dimensions, vectors] of segments) {
      eachVector(vectors, dimensions, (at, vector) => {
        isComplete &&= this.#setVector(firstKey + at, vector);
      });
    }
    const apart = this.#database
      .rows("SELECT key, vector FROM refined_vectors WHERE changed > ?")
      .iterate(since) as unknown as Iterable<[number, Uint8Array]>;
    for (const [key, vector] of apart) isComplete &&= this.#setVector(key, vector);
    return isComplete;
  }

  #setVector(key: number, vector: Uint8Array): boolean {
    const block = this.blocks.get(blockOf(key));
    // The document was removed.
    if (!block?.docs[key % BLOCK_SIZE]) return true;
    return this.vectors.get(vector.length - 4)?.set(key, vector) ?? false;
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
