import type { Database } from "./database.ts";

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

export function openSimilarTerms(database: Database) {
  return (term: string, limit: number): string[] => {
    if (CJK.test(term) || term.length < 4) return [];
    const most = term.length < 8 ? 1 : 2;
    return database
      .all<{ term: string; frequency: number }>(
        "SELECT term, frequency FROM terms WHERE length(term) BETWEEN ? AND ? ORDER BY frequency DESC, term",
        term.length - most,
        term.length + most,
      )
      .filter((row) => row.term !== term && !CJK.test(row.term))
      .filter((row) => editDistance(row.term, term) <= most)
      .slice(0, limit)
      .map((row) => row.term);
  };
}

/** Optimal string alignment: insertions, deletions, substitutions, swaps of neighbours. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [i];
    for (let j = 1; j <= b.length; j++) {
      if (i === 0) {
        row.push(j);
        continue;
      }
      const above = rows[i - 1] as number[];
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + same,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, ((rows[i - 2] as number[])[j - 2] as number) + 1);
      }
      row.push(best);
    }
    rows.push(row);
  }
  return (rows[a.length] as number[])[b.length] as number;
}
