// The reader's in-memory copy of each chunk's vector. It follows the database by
// three numbers: keys only grow, every removal is logged, and refined vectors have the number of their change.

import type { Database } from "../database.ts";
import { eachVector } from "./quantise.ts";
import { VectorTable } from "./vector-table.ts";

interface StateRow {
  readonly changes: number;
  readonly next_key: number;
  readonly removals: number;
  readonly removals_dropped: number;
}

export class Mirror {
  readonly vectors = new Map<number, VectorTable>();
  readonly #database: Database;
  #nextKey = 0;
  /** Grows with every change to documents. */
  #version = 0;
  #removals = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Inside a read transaction: updates the copy to what that transaction sees. */
  follow(): void {
    const state = this.#database.get<StateRow>(
      "SELECT changes, next_key, removals, removals_dropped FROM state",
    ) as StateRow;
    if (state.changes === this.#version) return;
    if (this.#removals < state.removals_dropped) this.#forget();
    else if (state.removals > this.#removals) this.#followRemovals();
    const known = this.#nextKey;
    this.#loadSegments();
    if (!this.#followRefined(known)) {
      this.#forget();
      this.#loadSegments();
    }
    for (const table of this.vectors.values()) table.compact();
    this.#nextKey = state.next_key;
    this.#removals = state.removals;
    this.#version = state.changes;
  }

  #forget(): void {
    this.vectors.clear();
    this.#nextKey = 0;
  }

  #followRemovals(): void {
    const removals = this.#database.all<{ first_key: number; last_key: number }>(
      "SELECT first_key, last_key FROM removals WHERE seq > ?",
      this.#removals,
    );
    for (const { first_key: first, last_key: last } of removals) {
      for (const table of this.vectors.values()) table.remove(first, last);
    }
  }

  #loadSegments(): void {
    const segments = this.#database
      .rows(
        `SELECT first_key, doc, dimensions, vectors FROM segments
         WHERE first_key >= ? AND vectors IS NOT NULL ORDER BY first_key`,
      )
      .iterate(this.#nextKey) as unknown as Iterable<[number, number, number, Uint8Array]>;
    for (const [firstKey, doc, dimensions, vectors] of segments) {
      const table = this.vectors.get(dimensions) ?? new VectorTable(dimensions);
      this.vectors.set(dimensions, table);
      table.add(firstKey, doc, vectors);
    }
  }

  /** Keys below `known` were loaded before. False if a vector has no place yet, so that everything must be reloaded. */
  #followRefined(known: number): boolean {
    const segments = this.#database
      .rows(
        `SELECT first_key, dimensions, vectors FROM segments
         WHERE changed > ? AND changed > 0 AND first_key < ?`,
      )
      .iterate(this.#version, known) as unknown as Iterable<[number, number, Uint8Array]>;
    let isComplete = true;
    for (const [firstKey, dimensions, vectors] of segments) {
      eachVector(vectors, dimensions, (at, vector) => {
        isComplete &&= this.vectors.get(dimensions)?.set(firstKey + at, vector) ?? false;
      });
    }
    return isComplete;
  }
}
