// Finds the cells of a table that answer a question, with signals for the confidence.
import type { Operation } from "../ask/ask.ts";
import { chooseRows, namingColumns } from "../choose-rows.ts";
import type { Grid, Row } from "../grid/grid.ts";
import { matchTable } from "../match/match-table.ts";
import type { TableQuestion } from "../table-question.ts";
import { type SolutionSignals, toSignals } from "../table-signals.ts";
import { aggregate, count } from "./aggregate.ts";
import type { Computed } from "./compute.ts";
import { subtract } from "./difference.ts";
import { extreme } from "./extreme.ts";
import { listWithin, lookUp } from "./look-up.ts";
import type { Found, Plan } from "./plan.ts";

export interface Solution {
  readonly grid: Grid;
  readonly kind: Operation["kind"];
  /** The rows to cite, in the table's order. */
  readonly rows: readonly Row[];
  /** The column asked for, then the one that was compared. */
  readonly targets: readonly number[];
  readonly computed?: Computed;
  readonly signals: SolutionSignals;
}

const MOST_LISTED = 12;

export function solve(question: TableQuestion, grid: Grid): Solution | undefined {
  const match = matchTable(question, grid);
  const chosen = chooseRows(question, grid, match);
  const naming = namingColumns(chosen.rows, chosen.matched);
  const plan = { question, grid, match, chosen, naming };
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
      return bounds.length > 0 ? listWithin(plan) : lookUp(plan);
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

/** "First" and "last" compare dates; without dates they are part of a name. */
function isOrder({ question }: Plan): boolean {
  return /\b(?:first|last)\b|最初|最後/iu.test(question.text);
}
