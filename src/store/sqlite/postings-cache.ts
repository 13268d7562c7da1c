// Postings that were read lately. Keys only grow, so a kept list is brought up to date by reading its last
// block again; removed chunks stay in it and are passed over when scored.
import type { Database } from "./database.ts";
import type { Mirror } from "./mirror.ts";
import { blockOf, decodePostings, type Postings } from "./postings.ts";
import { BLOCKS_PER_TERM } from "./schema.ts";

/** A term's chunks in one block, with what bounds the score of any of them. */
export interface BlockPostings extends Postings {
  readonly mostTimes: number;
  readonly leastLength: number;
}

export type TermPostings = ReadonlyMap<number, BlockPostings>;

interface Kept {
  readonly blocks: Map<number, BlockPostings>;
  bytes: number;
  /** Keys below it are in. */
  nextKey: number;
  generation: number;
}

/** All postings of 100,000 chunks are about 20 MB: the ones in use stay in memory. */
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

  /** Inside the transaction that the mirror has followed. */
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
    // The most recently used stand last.
    this.#kept.delete(term);
    this.#kept.set(term, kept);
    if (kept.nextKey < this.#mirror.nextKey) this.#load(term, kept);
    this.#shrink();
    return kept.blocks;
  }

  #load(term: number, kept: Kept): void {
    const rows = this.#database
      .rows("SELECT id, data FROM postings WHERE id >= ? AND id < ?")
      .all(
        term * BLOCKS_PER_TERM + blockOf(kept.nextKey),
        (term + 1) * BLOCKS_PER_TERM,
      ) as unknown as [number, Uint8Array][];
    for (const [id, data] of rows) {
      const number = id % BLOCKS_PER_TERM;
      const before = kept.blocks.get(number)?.lows.length ?? 0;
      const postings = decodePostings(data);
      kept.blocks.set(number, bounded(postings, this.#mirror.blocks.get(number)?.lengths));
      this.#count(kept, (postings.lows.length - before) * 3);
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

function bounded(postings: Postings, lengths: Uint32Array | undefined): BlockPostings {
  let mostTimes = 0;
  let leastLength = Number.POSITIVE_INFINITY;
  for (let at = 0; at < postings.lows.length; at++) {
    mostTimes = Math.max(mostTimes, postings.times[at] as number);
    const length = lengths?.[postings.lows[at] as number] ?? 0;
    if (length < leastLength) leastLength = length;
  }
  return { ...postings, mostTimes, leastLength };
}
