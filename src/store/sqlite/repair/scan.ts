// Reads the rows of a damaged database that can be reached: an unreadable page costs only its own rows.
import type { DatabaseSync } from "node:sqlite";
import { isMachineFault } from "../failures.ts";

export interface Scanned<Row> {
  /** By row id. */
  readonly rows: ReadonlyMap<number, Row>;
  /** False if something was unreadable, so there may have been more. */
  readonly isWhole: boolean;
}

export interface TableScan {
  readonly table: string;
  /** The column that is the row id. */
  readonly key: string;
  readonly columns?: string;
}

/** Row ids behind the last readable one that are looked for. */
const BEYOND = 2 ** 20;
/** After so many failures an inner page is broken; of what is left only the second halves are tried. */
const MAX_FAILURES = 5_000;

type Range = readonly [from: number, to: number];

/** Where a range of row ids cannot be read to its end, the halves of what is left are tried. */
export function scanTable<Row>(database: DatabaseSync, scan: TableScan): Scanned<Row> {
  const { table, key, columns = "*" } = scan;
  const sql = `SELECT ${key} AS row_key, ${columns} FROM ${table}
    WHERE ${key} BETWEEN ? AND ? ORDER BY ${key}`;
  const rows = new Map<number, Row>();
  let last = 0;
  let failures = 0;
  const ranges: Range[] = [[0, Number.MAX_SAFE_INTEGER]];
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const after = readRange(() => database.prepare(sql).iterate(...range), range[0], rows);
    if (after === undefined) continue;
    failures += 1;
    if (rows.has(after)) last = Math.max(last, after);
    const end = Math.min(range[1], last + BEYOND);
    if (after + 1 >= end) continue;
    const middle = Math.floor((after + 1 + end) / 2);
    ranges.push([middle + 1, range[1]]);
    if (failures < MAX_FAILURES) ranges.push([after + 1, middle]);
  }
  return { rows, isWhole: failures === 0 };
}

/** Returns the last row id that could be read; undefined if all could. */
function readRange<Row>(
  iterate: () => Iterable<Record<string, unknown>>,
  from: number,
  rows: Map<number, Row>,
): number | undefined {
  let after = from - 1;
  try {
    for (const row of iterate()) {
      const at = Number(row["row_key"]);
      if (!(at > after)) throw new Error("The order of rows is broken.");
      rows.set(at, row as Row);
      after = at;
    }
    return undefined;
  } catch (thrown) {
    if (isMachineFault(thrown)) throw thrown;
    return after;
  }
}

/** All rows or, if any is unreadable, undefined: an incomplete list must not look complete. */
export function readAll<Row>(
  database: DatabaseSync,
  sql: string,
  ...values: (string | number)[]
): readonly Row[] | undefined {
  try {
    return database.prepare(sql).all(...values) as unknown as Row[];
  } catch (thrown) {
    return unlessMachineFault(thrown);
  }
}

/** Undefined if something that it needs is unreadable. */
export function readAsync<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  return work().catch(unlessMachineFault);
}

function unlessMachineFault(thrown: unknown): undefined {
  if (isMachineFault(thrown)) throw thrown;
}

/** NUL or invalid UTF-8 shows that something else was written over the text. */
export function isOverwritten(value: unknown): boolean {
  return typeof value === "string" && /[\0\uFFFD]/.test(value);
}
