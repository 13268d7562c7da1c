// Caches recently read postings. Keys only grow, so a cached list is brought up to date by reading its last
// block and the new ones; removed chunks stay in it and are skipped when scoring.
import type { Database } from "../database.ts";
import { TERMS_PER_BLOCK } from "../schema.ts";
import type { Mirror } from "../vectors/mirror.ts";
import { blockOf, decodePostings, lowOf, timesOf } from "./postings.ts";

/** A term's chunks in one block, with an upper bound for their scores. */
export interface BlockPostings {
  /** Ascending; see lowOf and timesOf. */
  readonly list: Uint32Array;
  readonly mostTimes: number;
  readonly leastLength: number;
}

export type TermPostings = ReadonlyMap<number, BlockPostings>;

interface Kept {
  readonly blocks: Map<number, BlockPostings>;
  bytes: number;
  /** Keys below it are included. */
  nextKey: number;
  generation: number;
}

/** All postings of 100,000 chunks take about 30 MB, so those in use stay in memory. */
const BYTES_KEPT = 64 * 1024 * 1024;

export class PostingsCache {
  readonly #database: Database;
  readonly #mirror: Mirror;
  readonly #kept = new Map<number, Kept>();
  #bytes = 0;

  constructor(database: Database, mirror: Mirror) {
    this.#database = database;
    this.#mirror = mirror;
  }

  /** Call inside the transaction that the mirror was updated in. */
  get(term: number): TermPostings {
    const known = this.#kept.get(term);
    const usable = known?.generation === this.#mirror.generation ? known : undefined;
    if (known && !usable) this.#bytes -= known.bytes;
    const kept = usable ?? {
      blocks: new Map(),
      bytes: 0,
      nextKey: 0,
      generation: this.#mirror.generation,
    };
    // The most recently used come last.
    this.#kept.delete(term);
    this.#kept.set(term, kept);
    if (kept.nextKey < this.#mirror.nextKey) this.#load(term, kept);
    this.#shrink();
    return kept.blocks;
  }

  #load(term: number, kept: Kept): void {
    const ids: number[] = [];
    for (const number of this.#mirror.blocks.keys()) {
      if (number >= blockOf(kept.nextKey)) ids.push(number * TERMS_PER_BLOCK + term);
    }
    const rows = this.#database
      .rows("SELECT id, data FROM postings WHERE id IN (SELECT value FROM json_each(?))")
      .all(JSON.stringify(ids)) as unknown as [number, Uint8Array][];
    for (const [id, data] of rows) {
      const number = Math.floor(id / TERMS_PER_BLOCK);
      const before = kept.blocks.get(number)?.list.length ?? 0;
      const list = decodePostings(data);
      kept.blocks.set(number, bounded(list, this.#mirror.blocks.get(number)?.lengths));
      this.#count(kept, (list.length - before) * 4);
    }
    kept.nextKey = this.#mirror.nextKey;
  }

  #count(kept: Kept, bytes: number): void {
    kept.bytes += bytes;
    this.#bytes += bytes;
  }

  #shrink(): void {
    for (const [term, kept] of this.#kept) {
      if (this.#bytes <= BYTES_KEPT || this.#kept.size === 1) return;
      this.#kept.delete(term);
      this.#bytes -= kept.bytes;
    }
  }
}

function bounded(list: Uint32Array, lengths: Uint32Array | undefined): BlockPostings {
  let mostTimes = 0;
  let leastLength = Number.POSITIVE_INFINITY;
  for (const posting of list) {
    mostTimes = Math.max(mostTimes, timesOf(posting));
    leastLength = Math.min(leastLength, lengths?.[lowOf(posting)] ?? 0);
  }
  return { list, mostTimes, leastLength };
}
