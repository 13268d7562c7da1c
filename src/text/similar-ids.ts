// Ids that may have been meant: equal but for case, containing the given one or contained in it, or a few typing errors
// away.
import { byName } from "./by-name.ts";
import { editDistance } from "./edit-distance.ts";

const MOST = 3;

export function similarIds(wanted: string, ids: readonly string[]): readonly string[] {
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
