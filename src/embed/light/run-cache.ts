// Runs and the pieces they were cut into. Most runs of a text are words that came before, and a search looks up
// thousands of them to know its passages' languages. They lie in two flat arrays, so that finding one touches two
// places in memory.
//
//   places    hash → where the run's entry begins, 0: free; the next free place after it where two runs share one
//   entries   … | units, pieces, unit × units, piece × pieces | …
import type { Run } from "./runs.ts";

// The cache starts small, so that a process that asks once pays little, and doubles up to this size.
const MIN_PLACES = 1 << 10;
const MAX_PLACES = 1 << 16;
// An entry takes about a dozen numbers, and at most half of the places are used, so that finding a free one is quick.
const ENTRIES_PER_PLACE = 8;
// If no place is free within this many steps, the run replaces another: runs that share a hash cost no more than
// others.
const MAX_STEPS = 16;
const MAX_RUN_LENGTH = 24;
const HEAD = 2;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export class RunCache {
  #places = new Int32Array(MIN_PLACES);
  #entries = new Int32Array(MIN_PLACES * ENTRIES_PER_PLACE);
  #runs = 0;
  #end = 1;

  /** Adds the run's pieces to `found`. False if the run is not cached. */
  take(run: Run, found: number[]): boolean {
    const entries = this.#entries;
    const entry = this.#places[this.#placeOf(run)] as number;
    if (entry === 0) return false;
    const from = entry + HEAD + (entries[entry] as number);
    const end = from + (entries[entry + 1] as number);
    for (let at = from; at < end; at++) found.push(entries[at] as number);
    return true;
  }

  add(run: Run, pieces: readonly number[]): void {
    const { text, start, end } = run;
    const units = end - start;
    if (units > MAX_RUN_LENGTH) return;
    const size = HEAD + units + pieces.length;
    if (this.#runs * 2 >= this.#places.length || this.#end + size > this.#entries.length) {
      this.#makeRoom();
    }
    const entries = this.#entries;
    const entry = this.#end;
    this.#places[this.#placeOf(run)] = entry;
    entries[entry] = units;
    entries[entry + 1] = pieces.length;
    for (let at = 0; at < units; at++) entries[entry + HEAD + at] = text.charCodeAt(start + at);
    entries.set(pieces, entry + HEAD + units);
    this.#end += size;
    this.#runs += 1;
  }

  /** Where the run is, or would be. */
  #placeOf({ text, start, end }: Run): number {
    let hash = FNV_START;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
    const first = this.#firstPlace(hash);
    for (let step = 0; step < MAX_STEPS; step++) {
      const place = (first + step) & (this.#places.length - 1);
      if (this.#isFor(this.#places[place] as number, text, start, end)) return place;
    }
    this.#places[first] = 0;
    return first;
  }

  #firstPlace(hash: number): number {
    return (hash ^ (hash >>> 15)) & (this.#places.length - 1);
  }

  #isFor(entry: number, text: string, start: number, end: number): boolean {
    if (entry === 0) return true;
    const entries = this.#entries;
    if (entries[entry] !== end - start) return false;
    const from = entry + HEAD - start;
    for (let at = start; at < end; at++) {
      if (entries[from + at] !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  /** At full size everything is dropped, which is cheaper than tracking the order of use. */
  #makeRoom(): void {
    const { length } = this.#places;
    if (length === MAX_PLACES) {
      this.#places.fill(0);
      this.#runs = 0;
      this.#end = 1;
      return;
    }
    const former = this.#entries;
    this.#places = new Int32Array(length * 2);
    this.#entries = new Int32Array(former.length * 2);
    this.#entries.set(former);
    for (let entry = 1; entry < this.#end; ) {
      this.#place(entry);
      entry += HEAD + (former[entry] as number) + (former[entry + 1] as number);
    }
  }

  /** Gives an entry a place after the table has doubled. If there is none within reach, the entry is dropped. */
  #place(entry: number): void {
    const from = entry + HEAD;
    const end = from + (this.#entries[entry] as number);
    let hash = FNV_START;
    for (let at = from; at < end; at++) {
      hash = Math.imul(hash ^ (this.#entries[at] as number), FNV_PRIME);
    }
    const first = this.#firstPlace(hash);
    for (let step = 0; step < MAX_STEPS; step++) {
      const place = (first + step) & (this.#places.length - 1);
      if (this.#places[place] !== 0) continue;
      this.#places[place] = entry;
      return;
    }
  }
}
