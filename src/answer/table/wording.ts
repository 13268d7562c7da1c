// Formats an answer from a table: the requested cell first, then the rest of its row.
import type { TableCells } from "../citations.ts";
import { isBlank } from "./grid/cell-value.ts";
import type { Grid, Row } from "./grid/grid.ts";
import type { Solution } from "./solve/solve.ts";
import type { TableQuestion } from "./table-question.ts";

const MOST_CELLS = 8;
const MOST_ROWS = 12;

export function wordSolution({ japanese }: TableQuestion, solution: Solution): string {
  const { grid, rows, targets, computed } = solution;
  if (!computed) {
    const lines = rows.slice(0, MOST_ROWS).map((row) => wordRow(grid, row, targets));
    return lines.join("\n");
  }
  const { kind, text, of } = computed;
  const names = rows.slice(0, MOST_ROWS).map((row) => shortRow(grid, row, targets));
  const more = rows.length > MOST_ROWS ? ["…"] : [];
  const listed = [...names, ...more].join(japanese ? "、" : ", ");
  const size = japanese
    ? `${rows.length}行`
    : `${rows.length} ${rows.length === 1 ? "row" : "rows"}`;
  return japanese
    ? `${label(kind, of, true)}: ${text}（${size}: ${listed}）`
    : `${label(kind, of, false)}: ${text} (${size}: ${listed})`;
}

function label(kind: "count" | "sum" | "average" | "difference", of: string, japanese: boolean) {
  const english = { count: "Count", sum: "Total", average: "Average", difference: "Difference" }[
    kind
  ];
  const own = { count: "件数", sum: "合計", average: "平均", difference: "差" }[kind];
  if (japanese) return of === "" ? own : `${of}の${own}`;
  return of === "" ? english : `${english} of ${of}`;
}

/** Formats a row as "Population: 13298000 (City: Tokyo, Japan; Latitude: 35.67°)". */
function wordRow(grid: Grid, row: Row, targets: readonly number[]): string {
  const filled = row.cells.flatMap((cell, at) => (isBlank(cell) ? [] : [at]));
  const asked = targets.filter((at) => filled.includes(at));
  const first = asked[0] ?? grid.key;
  const rest = [...new Set([...asked, grid.key, ...filled])].filter(
    (at) => at !== first && filled.includes(at),
  );
  const pairs = rest.slice(0, MOST_CELLS).map((at) => pair(grid, row, at));
  const section = row.section === "" ? [] : [row.section];
  const around = [...section, ...pairs].join("; ");
  return around === "" ? pair(grid, row, first) : `${pair(grid, row, first)} (${around})`;
}

function shortRow(grid: Grid, row: Row, targets: readonly number[]): string {
  const name = row.cells[grid.key] ?? "";
  const values = targets.filter((at) => at !== grid.key).map((at) => row.cells[at] ?? "");
  return [name, ...values].filter((cell) => cell !== "").join(" ");
}

function pair({ columns }: Grid, row: Row, at: number): string {
  const { name = "", group = "" } = columns[at] ?? {};
  const full = [group, name].filter((part) => part !== "").join(" ");
  const cell = row.cells[at] ?? "";
  return full === "" ? cell : `${full}: ${cell}`;
}

/** "D4" in a sheet, "R4C4" in any other table; rows are counted including the header. */
export function describeCells(
  { grid, targets }: Solution,
  rows: readonly Row[],
  number: number,
): TableCells {
  const header = grid.columns.map(({ group, name }) => [group, name].filter(Boolean).join(" "));
  const shown = targets.length > 0 ? targets : grid.columns.map((_, at) => at);
  const cells = rows.flatMap(({ address: row }) =>
    shown.flatMap((at) => {
      const column = grid.columns[at]?.address;
      if (row === undefined || column === undefined) return [];
      return [grid.isSheet ? `${letters(column)}${row}` : `R${row}C${column + 1}`];
    }),
  );
  return { header, ...(!grid.isSheet && { number }), ...(cells.length > 0 && { cells }) };
}

function letters(column: number): string {
  let name = "";
  for (let left = column; left >= 0; left = Math.floor(left / 26) - 1)
    name = String.fromCharCode(65 + (left % 26)) + name;
  return name;
}
