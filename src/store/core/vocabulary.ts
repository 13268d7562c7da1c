// Finds terms with a similar spelling or a given prefix among all terms of a store. A set of letters
// in bits excludes most of them before any distance is computed.
import { editDistance } from "../../text/edit-distance.ts";

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Shorter terms have too many neighbours. */
const MIN_LENGTH = 4;
/** From this length on, two typos are allowed. */
const TWO_TYPOS = 8;

const MIN_PREFIX_LENGTH = 3;
/** Limited because the caller looks up each of them, and thousands may share a prefix; the shortest are the nearest. */
const MAX_COMPLETIONS = 200;

export interface Vocabulary {
  add(term: string): void;
  near(term: string): readonly string[];
  /** Shortest first. */
  startingWith(prefix: string): readonly string[];
}

export function openVocabulary(): Vocabulary {
  // Grouped by length, so that most terms are never visited.
  const byLength = new Map<number, Map<string, number>>();
  return {
    add(term) {
      if (term.length < MIN_LENGTH - 1 || CJK.test(term)) return;
      const terms = byLength.get(term.length) ?? new Map<string, number>();
      byLength.set(term.length, terms.set(term, lettersOf(term)));
    },
    near(term) {
      if (term.length < MIN_LENGTH || CJK.test(term)) return [];
      const slips = term.length < TWO_TYPOS ? 1 : 2;
      const wanted = lettersOf(term);
      const found: string[] = [];
      // A typo changes at most two letters of the set: one is removed and one added.
      const isNear = (candidate: string, set: number) =>
        bitCount(wanted ^ set) <= slips * 2 &&
        candidate !== term &&
        editDistance(candidate, term) <= slips;
      for (let length = term.length - slips; length <= term.length + slips; length++) {
        for (const [candidate, set] of byLength.get(length) ?? []) {
          if (isNear(candidate, set)) found.push(candidate);
        }
      }
      return found;
    },
    startingWith(prefix) {
      if (prefix.length < MIN_PREFIX_LENGTH || CJK.test(prefix)) return [];
      const longer = [...byLength].filter(([length]) => length > prefix.length);
      const found = longer
        .sort(([a], [b]) => a - b)
        .flatMap(([, terms]) => [...terms.keys()].filter((term) => term.startsWith(prefix)));
      return found.slice(0, MAX_COMPLETIONS);
    },
  };
}

/** `frequencies`: the number of chunks with each term; 0 for terms that are no longer in the store. */
export function mostFrequent(
  frequencies: Iterable<readonly [term: string, chunks: number]>,
  limit: number,
): readonly string[] {
  return [...frequencies]
    .filter(([, chunks]) => chunks > 0)
    .sort(([a, chunksA], [b, chunksB]) => chunksB - chunksA || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([term]) => term);
}

function lettersOf(term: string): number {
  let set = 0;
  for (let at = 0; at < term.length; at++) set |= 1 << (term.charCodeAt(at) & 31);
  return set;
}

function bitCount(set: number): number {
  const pairs = set - ((set >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
