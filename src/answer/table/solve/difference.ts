// The difference between two rows in one column, or between two columns of one row.
import { measureOf } from "../choose-column.ts";
import { difference } from "./compute.ts";
import type { Found, Plan } from "./plan.ts";

export function subtract(plan: Plan): Found | undefined {
  const { chosen, grid, match } = plan;
  const measure = measureOf(plan);
  const [a, b] = chosen.groups.map((group) => (group.length === 1 ? group[0] : undefined));
  if (measure && chosen.groups.length === 2 && a && b) {
    const computed = difference(
      [a.values[measure.at], b.values[measure.at]],
      grid.columns[measure.at]?.name ?? "",
    );
    return (
      computed && {
        rows: chosen.rows,
        targets: [measure.at],
        column: measure.share,
        computed,
        many: true,
      }
    );
  }
  const across = match.columns.filter(({ at }) => grid.columns[at]?.type === "number").slice(0, 2);
  const [row] = chosen.rows;
  if (chosen.rows.length !== 1 || across.length < 2 || !row) return undefined;
  const [left, right] = across.map(({ at }) => at);
  const computed = difference([row.values[left ?? 0], row.values[right ?? 0]], "");
  return (
    computed && {
      rows: [row],
      targets: [left ?? 0, right ?? 0],
      column: across[1]?.share ?? 0,
      computed,
    }
  );
}
