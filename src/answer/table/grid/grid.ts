// A table as questions see it: columns with names and types, rows with values.
import type { Place } from "../../../domain/document.ts";
import type { CellValue } from "./cell-value.ts";
import type { Readable } from "./readable.ts";

export interface Column {
  readonly name: string;
  /** The label over it and its neighbours, where there are two rows of headers. */
  readonly group: string;
  readonly type: "number" | "date" | "text";
  /** Its number in the sheet or table, counted from zero. */
  readonly address?: number;
}

export interface Row {
  readonly cells: readonly string[];
  readonly values: readonly (CellValue | undefined)[];
  /** Offsets into the document's text. */
  readonly start: number;
  readonly end: number;
  /** The label of the section it is in, or of a row that spans the table. */
  readonly section: string;
  /** Section and cells, to be compared with questions. */
  readonly folded: string;
  readonly address?: number;
}

export interface Grid {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Rows that sum up others: never counted, never compared, but looked up. */
  readonly totals: readonly Row[];
  readonly place: Place;
  /** Its cells have the addresses of a sheet. */
  readonly isSheet: boolean;
  /** What is written over it: title, headings, a caption, the group's label. */
  readonly context: string;
  /** That and the headers, to be compared with questions. */
  readonly about: Readable;
  readonly headers: readonly string[];
  /** The column whose cells name the rows. */
  readonly key: number;
}
