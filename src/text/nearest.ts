// Ids that somebody may have meant: the same but for case, a part of it, or a few typing errors away.
import { byName } from "../scopes/names.ts";

const MOST = 3;

export function nearest(wanted: string, ids: readonly string[]): readonly string[] {
  const asked = fold(wanted);
  // A third of the letters may be wrong; beyond that a suggestion misleads.
  const worst = Math.max(2, Math.floor(asked.length / 3));
  return ids
    .map((id) => ({ id, distance: distanceTo(asked, fold(id), worst) }))
    .filter(({ distance }) => distance <= worst)
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        Math.abs(a.id.length - asked.length) - Math.abs(b.id.length - asked.length) ||
        byName(a.id, b.id),
    )
    .slice(0, MOST)
    .map(({ id }) => id);
}

function fold(id: string): string {
  return id
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
}

function distanceTo(asked: string, id: string, worst: number): number {
  if (asked === id) return 0;
  if (asked.length >= 2 && (id.includes(asked) || (id.length >= 3 && asked.includes(id)))) return 1;
  if (Math.abs(asked.length - id.length) > worst) return worst + 1;
  return editDistance(asked, id);
}

/** Levenshtein with one row: the best cost of turning a prefix of `a` into each prefix of `b`. */
function editDistance(a: string, b: string): number {
  const row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0] ?? 0;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0;
      const left = row[j - 1] ?? 0;
      const change = a[i - 1] === b[j - 1] ? diagonal : diagonal + 1;
      row[j] = Math.min(change, above + 1, left + 1);
      diagonal = above;
    }
  }
  return row[b.length] ?? 0;
}
