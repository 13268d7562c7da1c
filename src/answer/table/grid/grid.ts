// A table as questions see it: columns with names and types, rows with values.
import type { Place } from "../../../domain/document.ts";
import type { ComparableText } from "../comparable-text.ts";
import type { CellValue } from "./cell-value.ts";

export interface Column {
  readonly name: string;
  /** If there are two header rows, the label above this column and its neighbours. */
  readonly group: string;
  readonly type: "number" | "date" | "text";
  /** Column number in the sheet or table, from zero. */
  readonly address?: number;
}

export interface Row {
  readonly cells: readonly string[];
  readonly values: readonly (CellValue | undefined)[];
  /** Offsets into the document's text. */
  readonly start: number;
  readonly end: number;
  /** The section label above the row; empty if the table has no sections. */
  readonly section: string;
  /** Section and cells, folded for comparison with questions. */
  readonly folded: string;
  readonly address?: number;
}

export interface Grid {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Rows with totals can be looked up, but are never counted or compared. */
  readonly totals: readonly Row[];
  readonly place: Place;
  /** Cells have spreadsheet addresses. */
  readonly isSheet: boolean;
  /** Text above the table: title, headings, caption, group label. */
  readonly context: string;
  /** Context and headers, prepared for comparison with questions. */
  readonly about: ComparableText;
  readonly headers: readonly string[];
  /** The column whose cells name the rows. */
  readonly key: number;
}
