// Finds the rows that a question names: by a word, a number, a date or a whole cell.
import { isJapanese } from "../../../text/scripts.ts";
import { type Word, words } from "../../../text/words.ts";
import { synonymGroupsOf } from "../../synonyms.ts";
import { foldInPlace } from "../comparable-text.ts";
import type { Grid, Row } from "../grid/grid.ts";
import type { TableQuestion } from "../table-question.ts";
import type { NamedColumn } from "./match-columns.ts";
import { matchDates } from "./match-dates.ts";
import { isRelated } from "./match-name.ts";

/** Rows named by one part of the question. */
export interface NamedRows {
  readonly rows: ReadonlySet<Row>;
  readonly terms: readonly Word[];
  readonly start: number;
}

interface Known {
  readonly operationWords: ReadonlySet<Word>;
  readonly columns: readonly NamedColumn[];
}

export function matchRows(question: TableQuestion, grid: Grid, known: Known) {
  const { operationWords, columns } = known;
  const lines = [...grid.rows, ...grid.totals].map((row) => ({ row, grid }));
  const dated = matchDates(question, grid.rows);
  const found: NamedRows[] = [...dated];
  const inEveryRow: Word[] = [];
  const inDates = new Set(dated.flatMap(({ terms }) => terms));
  for (const term of question.terms.filter((each) => !inDates.has(each))) {
    const isTotal = operationWords.has(term) && synonymGroupsOf(term.key).length > 0;
    if (operationWords.has(term) && !isTotal) continue;
    const named = lines.filter((line) => isNamedBy(line, term, columns));
    const rows = new Set(named.map(({ row }) => row));
    // A term that is in every row selects none.
    const isEverywhere = rows.size === lines.length && lines.length > 1;
    if (isEverywhere) inEveryRow.push(term);
    if (rows.size === 0 || isEverywhere) continue;
    if (isTotal && [...rows].some((row) => !grid.totals.includes(row))) continue;
    found.push({ rows, terms: [term], start: term.start });
  }
  return { rows: [...found, ...matchWholeCells(question, lines)], inEveryRow };
}

interface RowLine {
  readonly row: Row;
  readonly grid: Grid;
}

/**
 * Checks for a substring first, because splitting every cell of a long table into words would take
 * too long.
 */
function isNamedBy({ row, grid }: RowLine, term: Word, columns: readonly NamedColumn[]): boolean {
  const { folded } = row;
  const text = foldInPlace(term.text).replace(/'s$/u, "");
  if (isJapanese(text)) return text.length > 1 ? folded.includes(text) : isCell(row, text);
  if (term.number) return isNamedByNumber(row, term, grid, columns);
  // "European" refers to the rows under "Europe".
  if (row.section !== "" && words(row.section).some(({ key }) => isRelated(key, term.key)))
    return true;
  const stem = term.key.slice(0, Math.max(3, term.key.length - 1));
  if (!folded.includes(stem)) return false;
  return words(folded).some(({ key }) => key === term.key);
}

function isCell(row: Row, text: string): boolean {
  return row.cells.some((cell) => foldInPlace(cell) === text);
}

/** A number can name a row as its year, code or key, but not as a value that happens to be equal. */
function isNamedByNumber(
  row: Row,
  term: Word,
  grid: Grid,
  columns: readonly NamedColumn[],
): boolean {
  const wanted = Number(term.key);
  return row.cells.some((cell, at) => {
    const value = row.values[at];
    const asked = at === grid.key || columns.some((column) => column.at === at);
    if (value?.kind === "number")
      return value.value === wanted && (asked || isYear(wanted) || at === 0);
    if (value?.kind === "date") return Math.floor(value.value / 10_000) === wanted;
    return cell !== "" && words(cell).some(({ key }) => key === term.key);
  });
}

function isYear(value: number): boolean {
  return value >= 1900 && value <= 2100;
}

/** The cell, and its items if it is a list. */
function withListed(cell: string): readonly string[] {
  return /[、，・]/u.test(cell) ? [cell, ...cell.split(/[、，・]/u)] : [cell];
}

/** Japanese cells are searched for as whole strings, because questions and cells may be segmented differently. */
function matchWholeCells({ folded, terms, japanese }: TableQuestion, lines: readonly RowLine[]) {
  if (!japanese) return [];
  const byCell = new Map<string, Set<Row>>();
  for (const { row } of lines)
    for (const cell of [...row.cells, row.section].flatMap(withListed)) {
      const flat = foldInPlace(cell);
      if (flat.length < 2 || flat.length > 30 || !/\p{L}/u.test(flat)) continue;
      if (folded.includes(flat)) byCell.set(flat, (byCell.get(flat) ?? new Set()).add(row));
    }
  return [...byCell].map(([cell, rows]): NamedRows => {
    const start = folded.indexOf(cell);
    const inside = terms.filter((term) => term.start < start + cell.length && term.end > start);
    return { rows, terms: inside, start };
  });
}
