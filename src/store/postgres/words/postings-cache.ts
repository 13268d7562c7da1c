// Postings of frequent terms, kept while they fit. A segment's rows never change, so nothing goes stale;
// rows of segments that were joined since are no longer asked for and fall out.
import type { Postings } from "./postings.ts";

export interface PostingsCache {
  get(term: string, segment: number): Postings | undefined;
  set(term: string, segment: number, postings: Postings): void;
}

/** Key, length and times of one record. */
const BYTES_A_RECORD = 11;

export function openPostingsCache(mostBytes: number): PostingsCache {
  const kept = new Map<string, Postings>();
  let bytes = 0;
  const drop = (name: string) => {
    const old = kept.get(name);
    if (!old) return;
    kept.delete(name);
    bytes -= old.keys.length * BYTES_A_RECORD;
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
      bytes += postings.keys.length * BYTES_A_RECORD;
      for (const oldest of kept.keys()) {
        if (bytes <= mostBytes || oldest === name) break;
        drop(oldest);
      }
    },
  };
}
