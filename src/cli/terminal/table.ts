// Rows in columns that fit the terminal: one column shrinks, and optional ones are dropped.
import type { styleText } from "node:util";
import { inertText } from "../../text/clean/inert.ts";
import { cutTo, pad, widthOf } from "../../text/width.ts";
import type { Speech, Text } from "../texts.ts";

export type Style = Parameters<typeof styleText>[0];

export interface Column<Row> {
  readonly head: Text;
  readonly value: (row: Row) => string;
  readonly align?: "left" | "right";
  /** This column shrinks when the table is too wide; if several columns are marked, only the last one does. */
  readonly shrinks?: true;
  /** Optional columns are dropped if shrinking is not enough, starting with the last. */
  readonly optional?: true;
  readonly style?: Style;
}

/** A column of numbers. */
export function numbers<Row>(
  head: Text,
  value: (row: Row) => string | number,
  more: Pick<Column<Row>, "optional"> = {},
): Column<Row> {
  return { head, value: (row) => String(value(row)), align: "right", ...more };
}

// Names cut shorter than this cannot be recognised.
const MIN_COLUMNS = 20;
// On a terminal that is narrower than its table.
const LEAST_COLUMNS = 6;

interface Layout extends Pick<Speech, "t"> {
  readonly width: number;
  readonly style: (style: Style, text: string) => string;
}

export function layOut<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  layout: Layout,
): readonly string[] {
  const { width, style, t } = layout;
  const heads = columns.map(({ head }) => t(head).toUpperCase());
  const cells = rows.map((row) =>
    columns.map((column) => inertText(column.value(row)).replace(/\s+/g, " ")),
  );
  const widths = heads.map((head, at) =>
    Math.max(widthOf(head), ...cells.map((row) => widthOf(row[at] ?? ""))),
  );
  const excess = () => widths.reduce((sum, each) => sum + each + 2, -2) - width;
  const shrink = (at: number, least: number) => {
    const full = widths[at] ?? 0;
    widths[at] = Math.max(Math.min(full, least), full - Math.max(0, excess()));
  };
  shrink(
    columns.findLastIndex((column) => column.shrinks),
    MIN_COLUMNS,
  );
  const optional = columns.findLastIndex((column) => column.optional);
  if (excess() > 0 && optional >= 0) return layOut(columns.toSpliced(optional, 1), rows, layout);
  // Nothing is left to drop: the widest columns share what is there.
  for (const least of [MIN_COLUMNS, LEAST_COLUMNS])
    for (const at of widths.keys()) if (columns[at]?.align !== "right") shrink(at, least);
  const render = (texts: readonly string[], styleOf: (column: Column<Row>) => Style | undefined) =>
    columns
      .map((column, at) => {
        const columnWidth = widths[at] ?? 0;
        const text = pad(cutTo(texts[at] ?? "", columnWidth), columnWidth, column.align ?? "left");
        const format = styleOf(column);
        return format === undefined ? text : style(format, text);
      })
      .join("  ")
      .trimEnd();
  const head = render(heads, () => "bold");
  return [head, ...cells.map((row) => render(row, (column) => column.style))];
}
