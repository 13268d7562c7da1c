// Statements on one connection, each prepared once.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { asArrays } from "./older-node.ts";

export interface Statements {
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  /** Returns how many rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number;
  /** Rows as arrays. */
  cells<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  /** The same one by one, for scans. */
  rows(sql: string): StatementSync;
}

/** `attempt` runs whatever may meet another process's lock. */
export function openStatements(
  connection: DatabaseSync,
  attempt: <Result>(work: () => Result) => Result,
): Statements {
  const prepared = new Map<string, StatementSync>();
  const prepare = (key: string, make: () => StatementSync): StatementSync => {
    const statement = prepared.get(key) ?? attempt(make);
    prepared.set(key, statement);
    return statement;
  };
  const plain = (sql: string) => prepare(sql, () => connection.prepare(sql));
  const rows = (sql: string) => prepare(`rows ${sql}`, () => asArrays(connection.prepare(sql)));
  return {
    get: <Row>(sql: string, ...values: SQLInputValue[]) =>
      attempt(() => plain(sql).get(...values)) as Row | undefined,
    all: <Row>(sql: string, ...values: SQLInputValue[]) =>
      attempt(() => plain(sql).all(...values)) as Row[],
    run: (sql, ...values) => Number(attempt(() => plain(sql).run(...values)).changes),
    cells: <Row>(sql: string, ...values: SQLInputValue[]) =>
      attempt(() => rows(sql).all(...values)) as Row[],
    rows,
  };
}
