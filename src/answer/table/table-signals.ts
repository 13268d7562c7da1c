// Signals for and against an answer from a table.
import type { Word } from "../../text/words.ts";
import { lacksAttribute } from "../asked/asked-words.ts";
import type { TableSignals } from "../confidence/signals.ts";
import type { ChosenRows } from "./choose-rows.ts";
import type { Grid } from "./grid/grid.ts";
import { matchName } from "./match/match-name.ts";
import type { Found, Plan } from "./solve/plan.ts";
import type { TableQuestion } from "./table-question.ts";

/** The signals that the table itself determines; `near` comes from the search. */
export type SolutionSignals = Omit<TableSignals, "near">;

export function toSignals(plan: Plan, found: Found): SolutionSignals {
  const { question, match, chosen, grid } = plan;
  const matched = new Set<Word>([...match.operationWords, ...match.context, ...chosen.matched]);
  for (const column of match.columns)
    if (column.share > 0.6 || found.targets.includes(column.at))
      for (const term of column.matched) matched.add(term);
  const weigh = ({ number, proper }: Word) => (number || proper ? 2 : 1);
  const sum = (terms: Iterable<Word>) => [...terms].reduce((all, term) => all + weigh(term), 0);
  const open = question.terms.filter((term) => !matched.has(term));
  const weight = sum(question.terms);
  const wanted = found.many || found.computed ? 1 : 1 / found.rows.length;
  return {
    explained: weight === 0 ? 0 : 1 - sum(open) / weight,
    column: found.column,
    row: chosen.rows.length === 0 ? 1 : rowShare(question, grid, chosen),
    single: wanted,
    conflicts: Math.min(1, chosen.conflicts / 2),
    strange: Math.min(1, open.filter(({ number, proper }) => number || proper).length / 2),
    // A count is about the rows, which need no attribute.
    unsaid: found.computed?.kind !== "count" && lacksAttribute(question.asked, matched) ? 1 : 0,
  };
}

/**
 * The share of the first row's name that is in the question; at least half, because another cell
 * may name the row.
 */
function rowShare(question: TableQuestion, grid: Grid, { rows, matched }: ChosenRows): number {
  const name = rows[0]?.cells[grid.key] ?? "";
  const { share } = matchName({ ...question, terms: [...matched] }, name);
  return Math.max(0.5, share);
}
