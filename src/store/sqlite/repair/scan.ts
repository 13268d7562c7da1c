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
  readonly columns: string;
}

// Row ids on an unreadable page fail one by one; after this many an inner page is broken, and steps get larger.
const FINE_STEPS = 2_000;
const LARGE_STEP = 64;
const GIVE_UP_AFTER = 10_000;

export function scanTable<Row>(database: DatabaseSync, scan: TableScan): Scanned<Row> {
  const { table, key, columns } = scan;
  const sql = `SELECT ${key} AS row_key, ${columns} FROM ${table} WHERE ${key} > ? ORDER BY ${key}`;
  const state = { rows: new Map<number, Row>(), after: -1, failures: 0, isWhole: true };
  while (state.failures < GIVE_UP_AFTER) {
    try {
      if (readRows(database.prepare(sql).iterate(state.after), state)) break;
    } catch (thrown) {
      if (isMachineFault(thrown)) throw thrown;
      state.isWhole = false;
      state.failures += 1;
      state.after += state.failures > FINE_STEPS ? LARGE_STEP : 1;
    }
  }
  return { rows: state.rows, isWhole: state.isWhole };
}

/** True at the end of the table. */
function readRows<Row>(
  found: Iterable<Record<string, unknown>>,
  state: { rows: Map<number, Row>; after: number; failures: number },
): boolean {
  for (const row of found) {
    const at = Number(row["row_key"]);
    if (!(at > state.after)) throw new Error("The order of rows is broken.");
    if (state.failures > FINE_STEPS) {
      // A large step may have skipped readable rows.
      state.after -= LARGE_STEP;
      state.failures = 0;
      return false;
    }
    state.rows.set(at, row as Row);
    state.after = at;
    state.failures = 0;
  }
  return true;
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
export function isOverwritten(text: string | null): boolean {
  return text !== null && /[\0\uFFFD]/.test(text);
}
