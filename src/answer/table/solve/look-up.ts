// Looks up cells: of the rows that a question names, or of all rows within its limits.

import { words } from "../../../text/words.ts";
import { opposites } from "../../asked/opposites.ts";
import {
  answerColumn,
  askedFirst,
  isYears,
  measureOf,
  onlyFittingColumn,
} from "../choose-column.ts";
import { within, withoutOwnRow } from "../choose-rows.ts";
import { isBlank } from "../grid/cell-value.ts";
import type { Row } from "../grid/grid.ts";
import type { NamedColumn } from "../match/match-columns.ts";
import type { Found, Plan } from "./plan.ts";

export function lookUp(plan: Plan): Found | undefined {
  const found = lookUpCells(plan);
  return found && isOfAskedKind(plan, found) ? found : undefined;
}

function lookUpCells(plan: Plan): Found | undefined {
  const { chosen, grid, naming, question } = plan;
  if (chosen.rows.length === 0) return undefined;
  const target = targetOf(plan);
  const fallback = target ? undefined : onlyFittingColumn(question, grid, naming);
  const at = target?.at ?? fallback;
  const says = (cells: readonly string[]) =>
    cells.some((cell, of) => !isBlank(cell) && !naming.has(of));
  // "Who …?" without a column asks for the rows' names.
  const asksWho = question.ask.wants === "person" && target === undefined;
  const rows = asksWho ? withoutOwnRow(plan) : chosen.rows;
  // If another column names the person, the question asks for the rows' names.
  const isNames = asksWho && rows.length < chosen.rows.length;
  const guess = fallback === undefined ? 0.2 : 0.5;
  const column = target?.share ?? (isNames ? 0.8 : guess);
  // The row's own name is in the question, so it is not who is asked for.
  if (asksWho && at === undefined && !isNames && naming.has(grid.key)) return undefined;
  const filled = rows.filter(({ cells }) =>
    at === undefined ? says(cells) : !isBlank(cells[at] ?? ""),
  );
  if (question.ask.wants === "date" && at === undefined && !filled.some(hasDate)) return undefined;
  return {
    rows: filled,
    targets: at === undefined ? [] : [at],
    column,
    many:
      question.ask.wants === "list" || !naming.has(grid.key) || rows.length < chosen.rows.length,
  };
}

/** "How tall" needs a column for it; a row without one is about something else. */
const MEASURES = /\bhow (?:old|tall|high|long|far|fast|deep|wide|heavy)\b|何歳/iu;

const WHOLE_NAME = 0.9;

/** A person is never a number, a time never an amount, and a start date does not say when something ends. */
function isOfAskedKind({ question, grid }: Plan, { targets, column: share }: Found): boolean {
  const [at = -1] = targets;
  const column = grid.columns[at];
  if (!column) return !MEASURES.test(question.text);
  const { wants } = question.ask;
  const isAmount = column.type === "number" && !isYears(grid, at);
  // "When is the departure?" may be answered by a bare 930 in the column of that name.
  if (isAmount && (wants === "person" || (wants === "date" && share < WHOLE_NAME))) return false;
  const keys = new Set(words(column.name).map(({ key }) => key));
  return !question.terms.some(
    ({ key }) => !keys.has(key) && opposites(key).some((other) => keys.has(other)),
  );
}

function targetOf({ match, grid, naming, question }: Plan): NamedColumn | undefined {
  const free = match.columns.filter(({ at }) => !naming.has(at));
  const others = free.filter(({ at }) => at !== grid.key);
  return askedFirst(question, others) ?? free[0];
}

/** "When …?" is not answered by a row without a date, a year or a time. */
function hasDate({ cells, values }: Row): boolean {
  return cells.some(
    (cell, at) =>
      values[at]?.kind === "date" ||
      /(?<!\d)(?:1[89]|20)\d\d(?!\d)|\d:\d\d|\d\s*[時日月]/u.test(cell),
  );
}

/** Answers "Which products cost more than 100?" */
export function listWithin(plan: Plan): Found | undefined {
  const { grid, chosen, question } = plan;
  const measure = measureOf(plan);
  if (!measure) return undefined;
  const from = chosen.rows.length > 0 ? chosen.rows : grid.rows;
  const rows = from.filter((row) => within(row, measure.at, question.ask.bounds));
  const asked = answerColumn(plan, measure.at);
  return { rows, targets: [...new Set([asked, measure.at])], column: measure.share, many: true };
}
