// Matches a question's words to a table's columns, rows and context.
import type { Word } from "../../../text/words.ts";
import type { Ask } from "../ask/ask.ts";
import type { Grid } from "../grid/grid.ts";
import type { TableQuestion } from "../table-question.ts";
import { matchColumns, type NamedColumn } from "./match-columns.ts";
import { matchText } from "./match-name.ts";
import { matchRows, type NamedRows } from "./match-rows.ts";

export interface TableMatch {
  readonly columns: readonly NamedColumn[];
  readonly rows: readonly NamedRows[];
  /** Words that are in the title, the headings or the file name, or in every row. */
  readonly context: ReadonlySet<Word>;
  /** Words for the computation, and words such as "table" or "row", which name nothing in it. */
  readonly operationWords: ReadonlySet<Word>;
}

const GENERIC =
  /^(?:tables?|sheets?|lists?|values?|rows?|columns?|records?|entr(?:y|ies)|data|figures?|according|shown?|given|listed|表|一覧|一覧表|データ|シート|行|列|値|記載|項目|ところ|もの|それぞれ|内訳|教え)$/iu;
/** Words for columns that are periods, as in "in which quarter did Spain sell the most?" */
const PERIOD = /^(?:quarter|month|season|period|year|四半期|期間)$/iu;

export function matchTable(question: TableQuestion, grid: Grid): TableMatch {
  const operationWords = new Set(question.terms.filter((term) => isOperation(question.ask, term)));
  const columns = matchColumns(question, grid);
  const { rows, inEveryRow } = matchRows(question, grid, { operationWords, columns });
  const context = new Set([...matchText(question, grid.about), ...inEveryRow]);
  return { columns, rows, context, operationWords };
}

function isOperation({ operation, operationWords }: Ask, { text, start, end }: Word): boolean {
  if (operationWords.some(([from, to]) => start < to && end > from)) return true;
  return GENERIC.test(text) || (operation.kind === "extreme" && PERIOD.test(text));
}
