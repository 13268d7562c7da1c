// Finds the columns that a question names.
import type { Grid } from "../grid/grid.ts";
import type { TableQuestion } from "../table-question.ts";
import { matchName, type NameMatch } from "./match-name.ts";

export interface NamedColumn extends NameMatch {
  readonly at: number;
}

const LEAST_SHARE = 0.5;

/** Returns the best match first. */
export function matchColumns(question: TableQuestion, { columns }: Grid): readonly NamedColumn[] {
  return columns
    .map(({ name, group }, at) => ({ at, ...matchColumn(question, name, group) }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .sort((a, b) => b.share - a.share || b.matched.size - a.matched.size);
}

/** The column's own name decides; words of its group label break ties between columns of the same name. */
function matchColumn(question: TableQuestion, name: string, group: string): NameMatch {
  const own = matchName(question, name === "" ? group : name);
  const over = group === "" ? undefined : matchName(question, group);
  return over && own.share > 0
    ? { ...own, matched: new Set([...own.matched, ...over.matched]) }
    : own;
}
