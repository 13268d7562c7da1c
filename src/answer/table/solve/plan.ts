// A question matched to a table, and the result found in it.
import type { Operation } from "../ask/ask.ts";
import type { ChosenRows } from "../choose-rows.ts";
import type { Grid, Row } from "../grid/grid.ts";
import type { TableMatch } from "../match/match-table.ts";
import type { TableQuestion } from "../table-question.ts";
import type { Computed } from "./compute.ts";

export interface Plan {
  readonly question: TableQuestion;
  readonly grid: Grid;
  readonly match: TableMatch;
  readonly chosen: ChosenRows;
  readonly naming: ReadonlySet<number>;
}

export interface Found {
  readonly rows: readonly Row[];
  readonly targets: readonly number[];
  readonly column: number;
  readonly computed?: Computed;
  readonly kind?: Operation["kind"];
  /** The question asks for more than one row. */
  readonly many?: boolean;
}
