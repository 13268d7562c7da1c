// Caches postings of frequent terms. The rows of a segment never change, so entries cannot become stale;
// rows of segments that have been merged are no longer requested and are evicted.
import type { Postings } from "./postings.ts";

export interface PostingsCache {
  get(term: string, segment: number): Postings | undefined;
  set(term: string, segment: number, postings: Postings): void;
}

/** Key, length and times of one record. */
const BYTES_PER_RECORD = 11;

export function openPostingsCache(mostBytes: number): PostingsCache {
  const kept = new Map<string, Postings>();
  let bytes = 0;
  const drop = (name: string) => {
    const old = kept.get(name);
    if (!old) return;
    kept.delete(name);
    bytes -= old.keys.length * BYTES_PER_RECORD;
  };
  return {
    get(term, segment) {
      const name = `${segment}/${term}`;
      const found = kept.get(name);
      if (found) {
        kept.delete(name);
        kept.set(name, found);
      }
      return found;
    },
    set(term, segment, postings) {
      const name = `${segment}/${term}`;
      drop(name);
      kept.set(name, postings);
      bytes += postings.keys.length * BYTES_PER_RECORD;
      for (const oldest of kept.keys()) {
        if (bytes <= mostBytes || oldest === name) break;
        drop(oldest);
      }
    },
  };
}
