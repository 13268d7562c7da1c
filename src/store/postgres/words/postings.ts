// What a postings row's data holds: one record of 8 bytes for each chunk that has the term,
//   [key: 5 bytes, big-endian][chunk's length in terms: 2][times the term is in it: 1]
// Records of one size can be merged by the database itself. `times` 0 marks the chunk as removed.

const RECORD_BYTES = 8;
// BM25 saturates long before these limits.
const MAX_TIMES = 255;
const MAX_LENGTH = 65_535;
const HIGH = 2 ** 32;

export interface TermRows {
  readonly terms: string[];
  readonly counts: number[];
  /** All terms' records, one after the other. */
  readonly data: Buffer;
}

export interface ChunkTerms {
  readonly key: number;
  readonly terms: readonly string[];
}

export function encodePostings(chunks: readonly ChunkTerms[], kind: "add" | "remove"): TermRows {
  const uses = new Map<string, { key: number; length: number; times: number }[]>();
  for (const { key, terms } of chunks) {
    for (const term of terms) {
      const list = uses.get(term) ?? [];
      if (list.length === 0) uses.set(term, list);
      const last = list.at(-1);
      if (last?.key === key) last.times++;
      else list.push({ key, length: terms.length, times: 1 });
    }
  }
  const records = [...uses.values()].flat();
  const data = Buffer.alloc(records.length * RECORD_BYTES);
  records.forEach(({ key, length, times }, index) => {
    const at = index * RECORD_BYTES;
    data[at] = Math.floor(key / HIGH);
    data.writeUInt32BE(key % HIGH, at + 1);
    data.writeUInt16BE(Math.min(length, MAX_LENGTH), at + 5);
    data[at + 7] = kind === "remove" ? 0 : Math.min(times, MAX_TIMES);
  });
  const lists = [...uses.values()];
  return { terms: [...uses.keys()], counts: lists.map((list) => list.length), data };
}

export interface Postings {
  readonly keys: Float64Array;
  readonly lengths: Uint16Array;
  readonly times: Uint8Array;
}

export function decodePostings(data: Buffer): Postings {
  const count = data.length / RECORD_BYTES;
  const keys = new Float64Array(count);
  const lengths = new Uint16Array(count);
  const times = new Uint8Array(count);
  for (let index = 0, at = 0; index < count; index++, at += RECORD_BYTES) {
    keys[index] = (data[at] as number) * HIGH + data.readUInt32BE(at + 1);
    lengths[index] = data.readUInt16BE(at + 5);
    times[index] = data[at + 7] as number;
  }
  return { keys, lengths, times };
}

/** Never part of a term. */
const TERM_SEPARATOR = "\u001f";

/** Has a separator at both ends, so that a phrase never matches inside a term. */
export function joinTerms(terms: readonly string[]): string {
  return TERM_SEPARATOR + terms.join(TERM_SEPARATOR) + TERM_SEPARATOR;
}

export function splitTerms(joined: string): string[] {
  const inner = joined.slice(1, -1);
  return inner === "" ? [] : inner.split(TERM_SEPARATOR);
}
