// Names and types of columns, and which column names the rows.
import { type CellValue, isBlank, readValue } from "./cell-value.ts";
import type { Column, Row } from "./grid.ts";
import { isLabel } from "./header.ts";

export function labelsOf(headers: readonly (readonly string[])[], at: number): readonly string[] {
  const labels: string[] = [];
  for (const [level, row] of headers.entries()) {
    const own = row[at] ?? "";
    // A merged label is stored only above the first of its columns.
    const merged =
      level < headers.length - 1 ? row.slice(0, at).findLast((cell) => cell !== "") : "";
    const label = own || merged || "";
    if (label !== "" && !labels.includes(label)) labels.push(label);
  }
  return labels;
}

export function typeOf(rows: readonly Row[], at: number): Column["type"] {
  const filled = rows.filter(({ cells }) => !isBlank(cells[at] ?? ""));
  const of = (kind: CellValue["kind"]) =>
    filled.filter(({ values }) => values[at]?.kind === kind).length;
  if (filled.length === 0) return "text";
  if (of("date") >= filled.length * 0.6) return "date";
  return of("number") >= filled.length * 0.6 ? "number" : "text";
}

/** A number above numbers is data, so the table has no header. */
export function isData(name: string): boolean {
  return readValue(name)?.kind === "number" && !isLabel(name);
}

/** The first text column with mostly distinct cells, or else numbers, dates or any text. */
export function keyOf(columns: readonly Column[], rows: readonly Row[]): number {
  const names = (at: number) => rows.map(({ cells, section }) => `${section}\n${cells[at]}`);
  const distinct = (at: number) => new Set(names(at)).size / rows.length;
  const filled = (at: number) => rows.filter(({ cells }) => cells[at]).length / rows.length;
  const isKey = (type: Column["type"], least: number) => (column: Column, at: number) =>
    at < 3 && column.type === type && distinct(at) > least && filled(at) > 0.5;
  const found = [
    columns.findIndex(isKey("text", 0.7)),
    columns.findIndex(isKey("number", 0.9)),
    columns.findIndex(isKey("date", 0.7)),
    columns.findIndex(isKey("text", 0)),
  ];
  return found.find((at) => at >= 0) ?? 0;
}
