// The inverted index is made of segments that never change. A segment holds either chunks that were added, or chunks
// that were removed:
//
//   chunks    each chunk's key, document and length; removed chunks have only their keys
//   terms     by spelling: in how many of these chunks each occurs, and for added ones in which and how often
//
// The sums over all segments are exact at any time. A removed chunk leaves the lists when a merge brings both together.

/** BM25 saturates long before these limits. */
const MAX_TIMES = 255;
const MAX_LENGTH = 65_535;

export interface WordChunk {
  readonly key: number;
  readonly doc: number;
  readonly terms: readonly string[];
}

/** Chunks by ascending keys. */
export interface ChunkTable {
  readonly keys: readonly number[];
  readonly docs: readonly number[];
  /** In terms. */
  readonly lengths: readonly number[];
}

/** The chunks with a term, ascending, each as `toPosting` makes it. */
export type Postings = ArrayLike<number>;

export interface Added extends ChunkTable {
  readonly terms: ReadonlyMap<string, Postings>;
}

export interface Removed {
  /** Ascending. */
  readonly keys: readonly number[];
  /** Of all their lengths. */
  readonly length: number;
  /** In how many of the chunks each term was. */
  readonly terms: ReadonlyMap<string, number>;
}

/** `place` is the chunk's row in the table. */
function toPosting(place: number, times: number): number {
  return place * 256 + Math.min(times, MAX_TIMES);
}

export function placeOf(posting: number): number {
  return posting >>> 8;
}

export function timesOf(posting: number): number {
  return posting & 255;
}

export function toAdded(chunks: readonly WordChunk[]): Added {
  const sorted = chunks.toSorted((a, b) => a.key - b.key);
  const terms = new Map<string, number[]>();
  sorted.forEach((chunk, place) => {
    for (const each of chunk.terms) {
      const term = each.toWellFormed();
      const list = terms.get(term);
      if (!list) {
        terms.set(term, [toPosting(place, 1)]);
        continue;
      }
      const last = list.at(-1) as number;
      if (placeOf(last) === place) list[list.length - 1] = toPosting(place, timesOf(last) + 1);
      else list.push(toPosting(place, 1));
    }
  });
  return {
    keys: sorted.map(({ key }) => key),
    docs: sorted.map(({ doc }) => doc),
    lengths: sorted.map((chunk) => Math.min(chunk.terms.length, MAX_LENGTH)),
    terms,
  };
}

export function toRemoved(chunks: readonly Omit<WordChunk, "doc">[]): Removed {
  const terms = new Map<string, number>();
  for (const chunk of chunks) {
    const distinct = new Set(chunk.terms.map((term) => term.toWellFormed()));
    for (const term of distinct) terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  return {
    keys: chunks.map(({ key }) => key).sort((a, b) => a - b),
    length: sumOf(chunks.map((chunk) => Math.min(chunk.terms.length, MAX_LENGTH))),
    terms,
  };
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** One segment of each kind with what is left when removed chunks are taken out. */
export function mergeSegments(
  added: readonly Added[],
  removed: readonly Removed[],
): { readonly added: Added; readonly removed: Removed } {
  const gone = new Set(removed.flatMap(({ keys }) => keys));
  const counts = sumCounts(removed);
  const parts = added.toSorted((a, b) => (a.keys[0] ?? 0) - (b.keys[0] ?? 0));
  const { table, places, isInterleaved } = mergeTables(parts, gone);
  const terms = new Map<string, number[]>();
  parts.forEach((part, at) => {
    for (const [term, list] of part.terms) {
      const merged = terms.get(term) ?? [];
      const before = merged.length;
      appendKept(merged, list, places[at] as Int32Array);
      const dropped = before + list.length - merged.length;
      if (dropped > 0) subtract(counts, term, dropped);
      if (before === 0 && merged.length > 0) terms.set(term, merged);
    }
  });
  if (isInterleaved) for (const list of terms.values()) list.sort((a, b) => a - b);
  const lengthBefore = sumOf(parts.map((part) => sumOf(part.lengths)));
  const length = sumOf(removed.map((each) => each.length)) - (lengthBefore - sumOf(table.lengths));
  for (const part of parts) for (const key of part.keys) gone.delete(key);
  const keys = [...gone].sort((a, b) => a - b);
  return { added: { ...table, terms }, removed: { keys, length, terms: counts } };
}

function appendKept(merged: number[], list: Postings, places: Int32Array): void {
  for (let at = 0; at < list.length; at++) {
    const posting = list[at] as number;
    const place = places[placeOf(posting)] as number;
    if (place >= 0) merged.push(toPosting(place, timesOf(posting)));
  }
}

function sumCounts(removed: readonly Removed[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { terms } of removed) {
    for (const [term, count] of terms) counts.set(term, (counts.get(term) ?? 0) + count);
  }
  return counts;
}

function subtract(counts: Map<string, number>, term: string, count: number): void {
  const rest = (counts.get(term) ?? 0) - count;
  if (rest > 0) counts.set(term, rest);
  else counts.delete(term);
}

/** The remaining chunks by key, and for each part the new place of each of its chunks; -1 if it was removed. */
function mergeTables(parts: readonly Added[], gone: ReadonlySet<number>) {
  const rows = parts.flatMap(({ keys }, part) =>
    keys.flatMap((key, place) => (gone.has(key) ? [] : [{ part, place, key }])),
  );
  // Keys of concurrent writers are interleaved.
  const isInterleaved = rows.some(({ key }, at) => key < (rows[at - 1]?.key ?? 0));
  if (isInterleaved) rows.sort((a, b) => a.key - b.key);
  const places = parts.map(({ keys }) => new Int32Array(keys.length).fill(-1));
  rows.forEach(({ part, place }, at) => {
    (places[part] as Int32Array)[place] = at;
  });
  const column = (name: "docs" | "lengths") =>
    rows.map(({ part, place }) => parts[part]?.[name][place] as number);
  const keys = rows.map(({ key }) => key);
  const table = { keys, docs: column("docs"), lengths: column("lengths") };
  return { table, places, isInterleaved };
}
