// Chooses the rows that a question is about: those that match all its names or, in a comparison, any of them.
import { type Word, words } from "../../text/words.ts";
import type { Bound } from "./ask/bounds.ts";
import { foldInPlace } from "./comparable-text.ts";
import type { Grid, Row } from "./grid/grid.ts";
import type { NamedRows } from "./match/match-rows.ts";
import type { TableMatch } from "./match/match-table.ts";
import type { TableQuestion } from "./table-question.ts";

export interface ChosenRows {
  /** Empty if the question names no rows, because then it is about all of them. */
  readonly rows: readonly Row[];
  /** One group per compared item. */
  readonly groups: readonly (readonly Row[])[];
  readonly matched: ReadonlySet<Word>;
  /** Number of names that belong to rows not chosen. */
  readonly conflicts: number;
}

const TOGETHER = /\b(?:and|or|vs\.?|versus|between|than|plus)\b|と|や|、|または|および|どちら|,/iu;

export function chooseRows(question: TableQuestion, grid: Grid, match: TableMatch): ChosenRows {
  const { kind } = question.ask.operation;
  // Rows with totals are neither compared nor counted.
  const sums = kind === "extreme" || kind === "count" ? new Set(grid.totals) : new Set<Row>();
  const named = insideColumns(grid, match, withoutColumnNames(grid, match)).filter(({ rows }) =>
    [...rows].some((row) => !sums.has(row)),
  );
  // Words that are also in the title select rows only if no other word does.
  const isTitle = ({ terms }: NamedRows) => terms.every((term) => match.context.has(term));
  const [first, ...others] = named.toSorted(
    (a, b) => Number(isTitle(a)) - Number(isTitle(b)) || a.rows.size - b.rows.size,
  );
  if (!first) return { rows: [], groups: [], matched: new Set(), conflicts: 0 };
  let agreed = [...first.rows].filter((row) => !sums.has(row));
  const matched = new Set(first.terms);
  const apart: NamedRows[] = [];
  for (const each of others) {
    const both = agreed.filter((row) => each.rows.has(row));
    if (both.length === 0) apart.push(each);
    else agreed = both;
    if (both.length > 0) for (const term of each.terms) matched.add(term);
  }
  // A longer name may contain a shorter one, so a word that is already matched is not a conflict.
  const against = apart.filter(({ terms }) =>
    terms.some((term) => !matched.has(term) && !match.context.has(term)),
  );
  const compares = TOGETHER.test(question.text) && question.ask.operation.kind !== "lookup";
  if (against.length === 0 || !compares) {
    const meant = wholeName(grid, agreed, matched);
    return { rows: ordered(grid, meant), groups: [meant], matched, conflicts: against.length };
  }
  return together(grid, { agreed, matched, against });
}

/** Prefers the only row whose whole name is in the question: "Users", not "Storage per user". */
function wholeName(grid: Grid, agreed: readonly Row[], matched: ReadonlySet<Word>): readonly Row[] {
  if (agreed.length < 2) return agreed;
  const keys = new Set([...matched].map(({ key }) => key));
  const whole = agreed.filter(({ cells }) => {
    const name = words(cells[grid.key] ?? "").filter(({ content }) => content);
    return name.length > 0 && name.every(({ key }) => keys.has(key));
  });
  const [only] = whole;
  const isPart = (row: Row) => words(row.cells[grid.key] ?? "").some(({ key }) => keys.has(key));
  return only && whole.length === 1 && agreed.every(isPart) ? [only] : agreed;
}

interface Apart {
  readonly agreed: readonly Row[];
  readonly matched: ReadonlySet<Word>;
  readonly against: readonly NamedRows[];
}

function together(grid: Grid, { agreed, matched, against }: Apart): ChosenRows {
  const groups: Row[][] = [[...agreed]];
  const all = new Set(matched);
  for (const { rows, terms } of against) {
    const last = groups.at(-1) ?? [];
    const both = groups.length > 1 ? last.filter((row) => rows.has(row)) : [];
    if (both.length > 0) groups.splice(-1, 1, both);
    else groups.push([...rows]);
    for (const term of terms) all.add(term);
  }
  return { rows: ordered(grid, groups.flat()), groups, matched: all, conflicts: 0 };
}

/** If the question also names a text column, names are searched in that column: 大野さんの受付 is not 大野さんの清掃. */
function insideColumns(
  grid: Grid,
  { columns }: TableMatch,
  named: readonly NamedRows[],
): readonly NamedRows[] {
  const asked = columns.filter(({ at, share }) => share > 0.9 && grid.columns[at]?.type === "text");
  return named.map((each) => {
    const [only] = asked.flatMap(({ at, matched }) => {
      const others = each.terms.filter((term) => !matched.has(term));
      const holds = ({ cells }: Row) =>
        others.some(({ text }) => foldInPlace(cells[at] ?? "").includes(foldInPlace(text)));
      const rows = [...each.rows].filter(holds);
      return rows.length > 0 && rows.length < each.rows.size ? [rows] : [];
    });
    return only ? { ...each, rows: new Set(only) } : each;
  });
}

/**
 * A word that is a whole column name does not name rows; rows with totals are used only if no other
 * row matches.
 */
function withoutColumnNames(
  grid: Grid,
  { columns, rows: named }: TableMatch,
): readonly NamedRows[] {
  const isTotals = ({ rows }: NamedRows) => [...rows].every((row) => grid.totals.includes(row));
  const isColumn = (term: Word) =>
    columns.some(({ matched, share }) => matched.has(term) && share > 0.99) ||
    columns.some(({ matched }) => matched.has(term) && !isCell(grid, term));
  const rest = named.filter((each) => !each.terms.every(isColumn) || isTotals(each));
  const others = rest.filter((each) => !isTotals(each));
  return others.length > 0 ? others : rest;
}

function isCell(grid: Grid, { text }: Word): boolean {
  const folded = foldInPlace(text);
  return grid.rows.some(({ cells }) => cells.some((cell) => foldInPlace(cell) === folded));
}

function ordered(grid: Grid, rows: readonly Row[]): readonly Row[] {
  const wanted = new Set(rows);
  const data = grid.rows.filter((row) => wanted.has(row));
  return data.length > 0 ? data : grid.totals.filter((row) => wanted.has(row));
}

/** "Who reports to Maria?" is about the rows that name her in another column, not about her own row. */
export function withoutOwnRow({
  grid,
  chosen,
}: {
  readonly grid: Grid;
  readonly chosen: ChosenRows;
}): readonly Row[] {
  const isOwn = ({ cells }: Row) => {
    const name = words(cells[grid.key] ?? "").filter(({ content }) => content);
    return (
      name.length > 0 &&
      name.every(({ key }) => [...chosen.matched].some((term) => term.key === key))
    );
  };
  const others = chosen.rows.filter((row) => !isOwn(row));
  return others.length > 0 ? others : chosen.rows;
}

export function within(row: Row, at: number, bounds: readonly Bound[]): boolean {
  const value = row.values[at];
  if (value === undefined) return false;
  return bounds.every(({ least, most, open }) => {
    // Limits on dates are years.
    const own = value.kind === "date" ? Math.floor(value.value / 10_000) : value.value;
    if (least !== undefined && (open ? own <= least : own < least)) return false;
    return !(most !== undefined && (open ? own >= most : own > most));
  });
}

/** The columns whose cells contain the question's names. */
export function namingColumns(
  rows: readonly Row[],
  matched: ReadonlySet<Word>,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const row of rows.slice(0, 20))
    for (const [at, cell] of row.cells.entries()) {
      const folded = foldInPlace(cell);
      if ([...matched].some(({ text }) => folded.includes(foldInPlace(text).replace(/'s$/u, ""))))
        found.add(at);
    }
  return found;
}
