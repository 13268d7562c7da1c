// A Bloom filter of a segment's terms: nearly all other terms are recognised without reading a page. Most rare terms are
// in few segments.

/** One in eighty terms that a segment does not have passes its filter. */
const BITS_PER_TERM = 10;
const PROBES = 4;

export function toTermFilter(terms: readonly string[]): Uint8Array {
  const filter = new Uint8Array(Math.ceil((terms.length * BITS_PER_TERM) / 8));
  for (const term of terms) {
    const hash = hashOf(term);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = bitOf(hash, probe, filter);
      filter[bit >> 3] = (filter[bit >> 3] as number) | (1 << (bit & 7));
    }
  }
  return filter;
}

/** `hash` comes from `hashOf`. */
export function mayHave(filter: Uint8Array, hash: number): boolean {
  for (let probe = 0; probe < PROBES; probe++) {
    const bit = bitOf(hash, probe, filter);
    if (((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** FNV-1a. */
export function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) {
    hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

function bitOf(hash: number, probe: number, { length }: Uint8Array): number {
  // Odd, so that the probes differ.
  const step = Math.imul(hash, 0x9e3779b1) | 1;
  return ((hash + Math.imul(probe, step)) >>> 0) % (length * 8);
}
