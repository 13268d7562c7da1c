// Terms that are spelled almost like a given one. The vocabulary is held in memory from the first question
// on; a set of letters kept as bits rules out most of it before any distance is computed.
import type { Database } from "./database.ts";

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Shorter terms have neighbours everywhere. */
const SHORTEST = 4;
/** From this length on, two slips are still the same word. */
const TWO_SLIPS = 8;

export function openSimilarTerms(database: Database) {
  const terms: string[] = [];
  const letters: number[] = [];
  let lastId = 0;

  const follow = () => {
    const rows = database
      .rows("SELECT id, term FROM terms WHERE id > ? ORDER BY id")
      .iterate(lastId) as unknown as Iterable<[number, string]>;
    for (const [id, term] of rows) {
      lastId = id;
      if (term.length < SHORTEST - 1 || CJK.test(term)) continue;
      terms.push(term);
      letters.push(lettersOf(term));
    }
  };
  const frequency = (term: string) =>
    database.get<{ frequency: number }>("SELECT frequency FROM terms WHERE term = ?", term)
      ?.frequency ?? 0;

  return (term: string, limit: number): string[] => {
    if (term.length < SHORTEST || CJK.test(term)) return [];
    const slips = term.length < TWO_SLIPS ? 1 : 2;
    const wanted = lettersOf(term);
    return database.read(() => {
      follow();
      const near = new Map<string, number>();
      for (let at = 0; at < terms.length; at++) {
        const candidate = terms[at] as string;
        if (Math.abs(candidate.length - term.length) > slips) continue;
        // A slip changes at most two letters of the set: one that goes and one that comes.
        if (bitCount(wanted ^ (letters[at] as number)) > slips * 2) continue;
        if (candidate === term || near.has(candidate)) continue;
        if (editDistance(candidate, term) > slips) continue;
        // Terms that have left the vocabulary are still in memory: the database knows.
        const chunks = frequency(candidate);
        if (chunks > 0) near.set(candidate, chunks);
      }
      return [...near]
        .sort(([a, chunksA], [b, chunksB]) => chunksB - chunksA || (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([candidate]) => candidate);
    });
  };
}

function lettersOf(term: string): number {
  let set = 0;
  for (let at = 0; at < term.length; at++) set |= 1 << (term.charCodeAt(at) & 31);
  return set;
}

function bitCount(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
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
