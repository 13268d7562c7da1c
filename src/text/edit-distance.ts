// The edit distance between two words, for typing errors in queries, ids and commands.

/**
 * The number of edits between two words: a letter added, dropped or replaced, or two neighbours swapped.
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
