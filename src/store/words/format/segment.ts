// The inverted index is made of segments that never change. A segment holds either chunks that were added or the keys of
// chunks that were removed:
//
//   chunks    each chunk's key, document and length; removed chunks have only their keys
//   terms     by spelling: in which of the added chunks each occurs, and how often
//
// A removed chunk counts nowhere from then on, and leaves the lists when a merge brings both together.

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

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** One segment with what is left when removed chunks are taken out, and the removed keys that are in none of them. */
export function mergeSegments(
  added: readonly Added[],
  removed: readonly number[],
): { readonly added: Added; readonly removed: readonly number[] } {
  const gone = new Set(removed);
  const parts = added.toSorted((a, b) => (a.keys[0] ?? 0) - (b.keys[0] ?? 0));
  const { table, places, isInterleaved } = mergeTables(parts, gone);
  const terms = new Map<string, number[]>();
  parts.forEach((part, at) => {
    for (const [term, list] of part.terms) {
      const merged = terms.get(term) ?? [];
      appendKept(merged, list, places[at] as Int32Array);
      if (merged.length > 0) terms.set(term, merged);
    }
  });
  if (isInterleaved) for (const list of terms.values()) list.sort((a, b) => a - b);
  for (const part of parts) for (const key of part.keys) gone.delete(key);
  return { added: { ...table, terms }, removed: [...gone].sort((a, b) => a - b) };
}

function appendKept(merged: number[], list: Postings, places: Int32Array): void {
  for (let at = 0; at < list.length; at++) {
    const posting = list[at] as number;
    const place = places[placeOf(posting)] as number;
    if (place >= 0) merged.push(toPosting(place, timesOf(posting)));
  }
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
