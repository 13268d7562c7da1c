// Counts, sums and averages over many rows.
import type { Word } from "../../../text/words.ts";
import { countedBy, measureOf, onlyFittingColumn, quantityOf } from "../choose-column.ts";
import { withoutOwnRow } from "../choose-rows.ts";
import type { Column, Grid, Row } from "../grid/grid.ts";
import { type Computed, isOneUnit, mean, total } from "./compute.ts";
import { listWithin, lookUp } from "./look-up.ts";
import type { Found, Plan } from "./plan.ts";

export function count(plan: Plan): Found | undefined {
  const { chosen, question, match, grid, naming } = plan;
  const numeric = match.columns.find(({ at }) => isNumber(grid.columns[at]) && !naming.has(at));
  if (question.ask.bounds.length > 0) {
    const listed = listWithin(plan);
    return listed && { ...listed, computed: tally(listed.rows, grid), kind: "count" };
  }
  // "How many students does Kyoto have?" asks for a cell; "how many schools are in Kyoto?" asks for
  // a number of rows.
  if (numeric && numeric.share > 0.6) {
    if (chosen.rows.length === 1)
      return { rows: chosen.rows, targets: [numeric.at], column: numeric.share, kind: "lookup" };
    return aggregate(plan, "sum");
  }
  if (chosen.rows.length === 1 && chosen.conflicts === 0) {
    const only = quantityOf(question, grid, naming) ?? onlyFittingColumn(question, grid, naming);
    if (only !== undefined)
      return { rows: chosen.rows, targets: [only], column: 0.6, kind: "lookup" };
  }
  return countRows(plan);
}

function countRows(plan: Plan): Found | undefined {
  const { chosen, question, match, grid, naming } = plan;
  const rows = chosen.rows.length > 0 ? withoutOwnRow(plan) : grid.rows;
  // If the rows have a column 冊数, 何冊 asks for its sum, not for the number of rows.
  const counted = countedBy(question, grid, naming);
  if (counted !== undefined) {
    const computed = total(rows, counted, grid.columns[counted]?.name ?? "");
    return { rows, targets: [counted], column: 0.8, computed, many: true, kind: "sum" };
  }
  if (!listsWhatIsCounted(plan)) return undefined;
  const isNamed = match.columns.some(({ at }) => !isNumber(grid.columns[at]));
  const named = isNamed || countsPeople(plan) ? 1 : 0.4;
  return { rows, targets: [grid.key], column: named, computed: tally(rows, grid), many: true };
}

/** "How many bits wide is an address?" does not ask how many rows a table about addresses has. */
function listsWhatIsCounted({ question, match, chosen, grid }: Plan): boolean {
  const counted = countedWord({ question, match });
  const isKnown =
    counted === undefined ||
    match.context.has(counted) ||
    chosen.matched.has(counted) ||
    match.columns.some(({ matched }) => matched.has(counted)) ||
    isPeople(counted, grid);
  return isKnown && (chosen.rows.length > 0 || grid.rows.length > 1);
}

/** In Japanese the counted word comes before は: 企業 in 参加した企業は何社. */
function countedWord({ question, match }: Pick<Plan, "question" | "match">): Word | undefined {
  const { ask, terms, japanese, text } = question;
  const open = terms.filter((term) => !match.operationWords.has(term));
  if (!japanese) return open.find(({ start }) => start >= ask.at);
  const topic = text.lastIndexOf("は", ask.at);
  const last = open.findLast(({ end }) => end === topic);
  // ダウンロード数は asks for the number of downloads.
  return last?.text === "数" ? open.findLast(({ end }) => end === last.start) : last;
}

function countsPeople(plan: Plan): boolean {
  const counted = countedWord(plan);
  return counted !== undefined && isPeople(counted, plan.grid);
}

function isPeople({ text }: Word, grid: Grid): boolean {
  return PEOPLE.test(text) && NAMES.test(grid.columns[grid.key]?.name ?? "");
}

const PEOPLE = /^(?:people|persons?|employees?|members?|staff|workers?|colleagues?)$/iu;
const NAMES = /name|employee|member|person|staff|氏名|名前|社員|担当/iu;

function tally(rows: readonly Row[], grid: Grid): Computed {
  return {
    kind: "count",
    value: rows.length,
    text: String(rows.length),
    of: grid.columns[grid.key]?.name ?? "",
  };
}

export function aggregate(plan: Plan, kind: "sum" | "average"): Found | undefined {
  const { chosen, grid } = plan;
  const measure = measureOf(plan);
  if (!measure) return chosen.rows.length === 1 ? lookUp(plan) : undefined;
  const { at, share: column } = measure;
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

/** Finds the table's own total. The last such row is the grand total. */
function totalsRow(grid: Grid, at: number, kind: "sum" | "average"): Row | undefined {
  const isAverage = ({ cells }: Row) =>
    /average|mean|平均/iu.test(cells.find((cell) => cell !== "") ?? "");
  return grid.totals.findLast((row) => row.values[at] && isAverage(row) === (kind === "average"));
}

function isNumber(column: Column | undefined): boolean {
  return column?.type === "number";
}
