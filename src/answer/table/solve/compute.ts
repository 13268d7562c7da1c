// Sums, averages and differences, formatted like the table's own numbers.
import type { CellNumber, CellValue } from "../grid/cell-value.ts";
import type { Row } from "../grid/grid.ts";

export interface Computed {
  readonly kind: "count" | "sum" | "average" | "difference";
  readonly value: number;
  readonly text: string;
  /** The column's name. */
  readonly of: string;
}

/** Numbers with different units cannot be added. */
export function isOneUnit(rows: readonly Row[], at: number): boolean {
  const unit = ({ before, after }: CellNumber) =>
    `${before} ${after}`.replace(/[^\p{L}\p{Sc}%°]/gu, "").toLowerCase();
  return new Set(numbersOf(rows, at).map(unit)).size <= 1;
}

export function total(rows: readonly Row[], at: number, of: string): Computed {
  const numbers = numbersOf(rows, at);
  const value = sum(numbers);
  return { kind: "sum", value, text: write(value, numbers, rows, at), of };
}

export function mean(rows: readonly Row[], at: number, of: string): Computed {
  const numbers = numbersOf(rows, at);
  const value = sum(numbers) / numbers.length;
  return { kind: "average", value, text: write(value, numbers, rows, at, 2), of };
}

export function difference(
  [a, b]: readonly (CellValue | undefined)[],
  of: string,
): Computed | undefined {
  if (a?.kind !== "number" || b?.kind !== "number") return undefined;
  const value = Math.abs(a.value - b.value);
  return { kind: "difference", value, text: write(value, [a, b]), of };
}

function numbersOf(rows: readonly Row[], at: number): readonly CellNumber[] {
  return rows.flatMap(({ values }) => {
    const value = values[at];
    return value?.kind === "number" ? [value] : [];
  });
}

function sum(numbers: readonly CellNumber[]): number {
  return numbers.reduce((all, { value }) => all + value, 0);
}

function write(
  value: number,
  numbers: readonly CellNumber[],
  rows: readonly Row[] = [],
  at = 0,
  more = 0,
): string {
  const [first] = numbers;
  const decimals = Math.max(0, ...numbers.map((number) => number.decimals));
  const grouped =
    rows.length === 0 ||
    rows.some(({ cells }) => /\d,\d{3}/.test(cells[at] ?? "")) ||
    value < 10_000;
  const digits = new Intl.NumberFormat("en-US", {
    maximumFractionDigits: Math.max(decimals, more),
    minimumFractionDigits: more > 0 ? 0 : decimals,
    useGrouping: grouped && value >= 1_000,
  }).format(value);
  const after = first?.after ?? "";
  const unit = /^\p{sc=Latin}/u.test(after) ? ` ${after}` : after;
  return `${first?.before ?? ""}${digits}${unit}`;
}
