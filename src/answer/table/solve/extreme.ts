// Highest, lowest, second or first three: rows by a column, or the columns of one row.
import { answerColumn, measureOf } from "../choose-column.ts";
import type { Grid, Row } from "../grid/grid.ts";
import type { Found, Plan } from "./plan.ts";

interface Extreme {
  readonly most: boolean;
  readonly rank: number;
  readonly first: number;
}

export function extreme(plan: Plan, { most, rank, first }: Extreme): Found | undefined {
  const { chosen, grid } = plan;
  const measure = measureOf(plan);
  const across = chosen.rows.length === 1 ? extremeColumn(plan, most) : undefined;
  if (across && (!measure || measure.share < 0.9 || measure.at === across.targets[0]))
    return across;
  if (!measure) return undefined;
  const { at } = measure;
  const up = reversesOrder(plan, at) ? !most : most;
  const from = (chosen.rows.length > 0 ? chosen.rows : grid.rows).filter(
    ({ values }) => values[at],
  );
  const sorted = from.toSorted((a, b) =>
    up ? valueAt(b, at) - valueAt(a, at) : valueAt(a, at) - valueAt(b, at),
  );
  const nth = sorted[rank - 1];
  // A single row is not the largest of anything.
  if (!nth || sorted.length < 2) return undefined;
  const rows =
    first > 1
      ? sorted.slice(0, first)
      : sorted.filter((row) => valueAt(row, at) === valueAt(nth, at));
  const asked = answerColumn(plan, at);
  return {
    rows,
    targets: [...new Set([asked, at])],
    column: measure.share,
    many: first > 1 || rows.length <= 3,
  };
}

/** Some adjectives reverse the order: the oldest has the earliest date, the fastest the shortest time. */
function reversesOrder({ question: { ask }, grid }: Plan, at: number): boolean {
  const { type, name } = grid.columns[at] ?? { type: "text", name: "" };
  if (ask.hint === "speed") return /time|duration|秒|タイム|時間/iu.test(name);
  return (
    ask.hint === "age" &&
    (type === "date" ||
      isYear(grid, at) ||
      /year|born|birth|founded|established|opened|年(?!齢)|生/iu.test(name))
  );
}

/** "In which quarter did Germany sell most?" compares the similar columns of one row. */
function extremeColumn({ grid, chosen, match }: Plan, most: boolean): Found | undefined {
  const [row] = chosen.rows;
  const like = grid.columns.flatMap(({ type, name }, at) =>
    type === "number" && at !== grid.key && !/total|sum|average|合計|平均|計$/iu.test(name)
      ? [at]
      : [],
  );
  if (!row || like.length < 2) return undefined;
  const units = new Set(
    like.map((at) => {
      const value = row.values[at];
      return value?.kind === "number" ? value.before + value.after : "";
    }),
  );
  if (units.size > 1) return undefined;
  const filled = like.filter((at) => row.values[at]);
  const best = filled.toSorted((a, b) => (valueAt(row, a) - valueAt(row, b)) * (most ? -1 : 1))[0];
  const named = match.columns.some(({ at }) => like.includes(at));
  return best === undefined
    ? undefined
    : { rows: [row], targets: [best], column: named ? 0.9 : 0.5 };
}

function isYear({ rows }: Grid, at: number): boolean {
  return rows.every(
    ({ values }) => (values[at]?.value ?? 2000) > 1800 && (values[at]?.value ?? 0) < 2100,
  );
}

function valueAt(row: Row, at: number): number {
  return row.values[at]?.value ?? 0;
}
