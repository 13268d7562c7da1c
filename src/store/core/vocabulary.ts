// Words that are spelled almost like a given one, among all terms of a store. A set of letters kept as bits
// rules out most of them before any distance is computed.

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Shorter terms have neighbours everywhere. */
const SHORTEST = 4;
/** From this length on, two slips are still the same word. */
const TWO_SLIPS = 8;

export interface Vocabulary {
  add(term: string): void;
  near(term: string): readonly string[];
}

export function openVocabulary(): Vocabulary {
  // By length: most terms are then not even looked at.
  const byLength = new Map<number, Map<string, number>>();
  return {
    add(term) {
      if (term.length < SHORTEST - 1 || CJK.test(term)) return;
      const terms = byLength.get(term.length) ?? new Map<string, number>();
      byLength.set(term.length, terms.set(term, lettersOf(term)));
    },
    near(term) {
      if (term.length < SHORTEST || CJK.test(term)) return [];
      const slips = term.length < TWO_SLIPS ? 1 : 2;
      const wanted = lettersOf(term);
      const found: string[] = [];
      for (let length = term.length - slips; length <= term.length + slips; length++) {
        for (const [candidate, set] of byLength.get(length) ?? []) {
          // A slip changes at most two letters of the set: one that goes and one that comes.
          if (bitCount(wanted ^ set) > slips * 2 || candidate === term) continue;
          if (editDistance(candidate, term) <= slips) found.push(candidate);
        }
      }
      return found;
    },
  };
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

/**
 * How many slips lie between two words: a letter added, left out or mistaken, or two neighbours swapped.
 *
 *        t  o  k  e  n     each cell: slips between the beginnings that meet there
 *     0  1  2  3  4  5
 *  t  1  0  1  2  3  4
 *  k  2  1  1  1  2  3
 *  o  3  2  1  1  2  3     ("tko" → "tok": one swap)
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1;
      let slips = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + same,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        slips = Math.min(slips, (beforeLast[j - 2] as number) + 1);
      }
      row.push(slips);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}
