// A question and a table → the cells that answer it, with their signals.
import type { Operation } from "./ask.ts";
import { bind, type TableQuestion } from "./bind.ts";
import { answerColumn, askedFirst, byWish, countedBy, measureOf, quantityOf } from "./columns.ts";
import { type Computed, difference, isOneUnit, mean, total } from "./compute.ts";
import { type Column, type Grid, isBlank, type Row } from "./grid/grid.ts";
import type { Found, Plan } from "./plan.ts";
import { chooseRows, namingColumns, within } from "./rows.ts";
import { type TableSignals, toSignals } from "./signals.ts";

export interface Solution {
  readonly grid: Grid;
  readonly kind: Operation["kind"];
  /** What is cited, in the table's order. */
  readonly rows: readonly Row[];
  /** The column that was asked for, and the one that decided. */
  readonly targets: readonly number[];
  readonly computed?: Computed;
  readonly signals: TableSignals;
}

const MOST_LISTED = 12;

export function solve(question: TableQuestion, grid: Grid): Solution | undefined {
  const binding = bind(question, grid);
  const chosen = chooseRows(question, grid, binding);
  const naming = namingColumns(chosen.rows, chosen.said);
  const plan = { question, grid, binding, chosen, naming };
  const found = find(plan);
  if (!found || found.rows.length === 0) return undefined;
  if (!found.computed && found.rows.length > MOST_LISTED) return undefined;
  return {
    grid,
    kind: found.kind ?? question.ask.operation.kind,
    rows: found.rows,
    targets: found.targets,
    ...(found.computed && { computed: found.computed }),
    signals: toSignals(plan, found),
  };
}

function find(plan: Plan): Found | undefined {
  const { operation, bounds } = plan.question.ask;
  switch (operation.kind) {
    case "lookup":
      return bounds.length > 0 ? list(plan) : lookUp(plan);
    case "count":
      return count(plan);
    case "sum":
    case "average":
      return aggregate(plan, operation.kind);
    case "difference":
      return subtract(plan);
    case "extreme":
      return extreme(plan, operation) ?? (isOrder(plan) ? lookUp(plan) : undefined);
  }
}

/** "First" and "last" compare dates; where there are none they are part of a name. */
function isOrder({ question }: Plan): boolean {
  return /\b(?:first|last)\b|最初|最後/iu.test(question.text);
}

function lookUp({ chosen, binding, grid, naming, question }: Plan): Found | undefined {
  if (chosen.rows.length === 0) return undefined;
  const free = binding.columns.filter(({ at }) => !naming.has(at));
  const target =
    askedFirst(
      question,
      free.filter(({ at }) => at !== grid.key),
    ) ?? free[0];
  const fallback = target ? undefined : byWish(question, grid, naming);
  const at = target?.at ?? fallback;
  const column = target?.whole ?? (fallback === undefined ? 0.2 : 0.5);
  const says = (cells: readonly string[]) =>
    cells.some((cell, of) => !isBlank(cell) && !naming.has(of));
  const filled = chosen.rows.filter(({ cells }) =>
    at === undefined ? says(cells) : !isBlank(cells[at] ?? ""),
  );
  return {
    rows: filled,
    targets: at === undefined ? [] : [at],
    column,
    many: question.ask.wants === "list" || !naming.has(grid.key),
  };
}

/** "Which products cost more than 100?" */
function list(plan: Plan): Found | undefined {
  const { grid, chosen, question } = plan;
  const measure = measureOf(plan);
  if (!measure) return undefined;
  const from = chosen.rows.length > 0 ? chosen.rows : grid.rows;
  const rows = from.filter((row) => within(row, measure.at, question.ask.bounds));
  const asked = answerColumn(plan, measure.at);
  return { rows, targets: [...new Set([asked, measure.at])], column: measure.whole, many: true };
}

function count(plan: Plan): Found | undefined {
  const { chosen, question, binding, grid, naming } = plan;
  const numeric = binding.columns.find(({ at }) => isNumber(grid.columns[at]) && !naming.has(at));
  if (question.ask.bounds.length > 0) {
    const listed = list(plan);
    return listed && { ...listed, computed: tally(listed.rows, grid), kind: "count" };
  }
  // "How many students does Kyoto have?" is in a cell; "how many schools are in Kyoto?" is a number of rows.
  if (numeric && numeric.whole > 0.6) {
    if (chosen.rows.length === 1)
      return { rows: chosen.rows, targets: [numeric.at], column: numeric.whole, kind: "lookup" };
    return aggregate(plan, "sum");
  }
  if (chosen.rows.length === 1 && chosen.conflicts === 0) {
    const only = quantityOf(question, grid, naming) ?? byWish(question, grid, naming);
    if (only !== undefined)
      return { rows: chosen.rows, targets: [only], column: 0.6, kind: "lookup" };
  }
  const rows = chosen.rows.length > 0 ? chosen.rows : grid.rows;
  // 何冊 of rows that each have their 冊数 is a sum, not a number of rows.
  const counted = countedBy(question, grid, naming);
  if (counted !== undefined) {
    const computed = total(rows, counted, grid.columns[counted]?.name ?? "");
    return { rows, targets: [counted], column: 0.8, computed, many: true, kind: "sum" };
  }
  const named = binding.columns.some(({ at }) => !isNumber(grid.columns[at])) ? 1 : 0.4;
  return { rows, targets: [grid.key], column: named, computed: tally(rows, grid), many: true };
}

function tally(rows: readonly Row[], grid: Grid): Computed {
  return {
    kind: "count",
    value: rows.length,
    text: String(rows.length),
    of: grid.columns[grid.key]?.name ?? "",
  };
}

function aggregate(plan: Plan, kind: "sum" | "average"): Found | undefined {
  const { chosen, grid } = plan;
  const measure = measureOf(plan);
  if (!measure) return chosen.rows.length === 1 ? lookUp(plan) : undefined;
  const { at, whole: column } = measure;
  const targets = [at];
  if (chosen.rows.length === 1) return { rows: chosen.rows, targets, column, kind: "lookup" };
  const summed = chosen.rows.length === 0 ? totalsRow(grid, at, kind) : undefined;
  if (summed) return { rows: [summed], targets, column, kind: "lookup" };
  const rows = (chosen.rows.length > 0 ? chosen.rows : grid.rows).filter(
    ({ values }) => values[at]?.kind === "number",
  );
  if (rows.length === 0 || grid.columns[at]?.type !== "number" || !isOneUnit(rows, at))
    return undefined;
  const computed = (kind === "sum" ? total : mean)(rows, at, grid.columns[at]?.name ?? "");
  return { rows, targets, column, computed, many: true };
}

/** The table says it itself: the last row of totals is the whole one. */
function totalsRow(grid: Grid, at: number, kind: "sum" | "average"): Row | undefined {
  const isAverage = ({ cells }: Row) =>
    /average|mean|平均/iu.test(cells.find((cell) => cell !== "") ?? "");
  return grid.totals.findLast((row) => row.values[at] && isAverage(row) === (kind === "average"));
}

function subtract(plan: Plan): Found | undefined {
  const { chosen, grid, binding } = plan;
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
        column: measure.whole,
        computed,
        many: true,
      }
    );
  }
  const across = binding.columns
    .filter(({ at }) => grid.columns[at]?.type === "number")
    .slice(0, 2);
  const [row] = chosen.rows;
  if (chosen.rows.length !== 1 || across.length < 2 || !row) return undefined;
  const [left, right] = across.map(({ at }) => at);
  const computed = difference([row.values[left ?? 0], row.values[right ?? 0]], "");
  return (
    computed && {
      rows: [row],
      targets: [left ?? 0, right ?? 0],
      column: across[1]?.whole ?? 0,
      computed,
    }
  );
}

interface Extreme {
  readonly most: boolean;
  readonly rank: number;
  readonly first: number;
}

function extreme(plan: Plan, { most, rank, first }: Extreme): Found | undefined {
  const { chosen, grid } = plan;
  const measure = measureOf(plan);
  const across = chosen.rows.length === 1 ? extremeColumn(plan, most) : undefined;
  if (across && (!measure || measure.whole < 0.9 || measure.at === across.targets[0]))
    return across;
  if (!measure) return undefined;
  const { at } = measure;
  const up = turnsAround(plan, at) ? !most : most;
  const from = (chosen.rows.length > 0 ? chosen.rows : grid.rows).filter(
    ({ values }) => values[at],
  );
  const sorted = from.toSorted((a, b) =>
    up ? valueAt(b, at) - valueAt(a, at) : valueAt(a, at) - valueAt(b, at),
  );
  const nth = sorted[rank - 1];
  if (!nth) return undefined;
  const rows =
    first > 1
      ? sorted.slice(0, first)
      : sorted.filter((row) => valueAt(row, at) === valueAt(nth, at));
  const asked = answerColumn(plan, at);
  return {
    rows,
    targets: [...new Set([asked, at])],
    column: measure.whole,
    many: first > 1 || rows.length <= 3,
  };
}

/** The oldest has the earliest date, the youngest the latest. */
function turnsAround({ question: { ask }, grid }: Plan, at: number): boolean {
  const { type, name } = grid.columns[at] ?? { type: "text", name: "" };
  if (ask.hint === "speed") return /time|duration|秒|タイム|時間/iu.test(name);
  return (
    ask.hint === "age" &&
    (type === "date" ||
      isYear(grid, at) ||
      /year|born|birth|founded|established|opened|年(?!齢)|生/iu.test(name))
  );
}

/** "In which quarter did Germany sell most?": one row, and the best of its like columns. */
function extremeColumn({ grid, chosen, binding }: Plan, most: boolean): Found | undefined {
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
  const named = binding.columns.some(({ at }) => like.includes(at));
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

function isNumber(column: Column | undefined): boolean {
  return column?.type === "number";
}
