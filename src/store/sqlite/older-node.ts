// Replacements for features that `node:sqlite` lacks in Node 22.13 to 22.15.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { fileURLToPath } from "node:url";

/** Those versions do not support URIs with options, so the file is opened with SQLite's defaults. */
export function openReadOnly(url: URL): DatabaseSync {
  try {
    return new DatabaseSync(url, { readOnly: true });
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code !== "ERR_INVALID_ARG_TYPE") throw thrown;
    return new DatabaseSync(fileURLToPath(url), { readOnly: true });
  }
}

export function rollBack(connection: DatabaseSync): void {
  // Undefined if the runtime does not report it: a rollback outside a transaction fails and changes nothing.
  const isInside: boolean | undefined = connection.isTransaction;
  if (isInside === false) return;
  try {
    connection.exec("ROLLBACK");
  } catch (thrown) {
    if (isInside) throw thrown;
  }
}

/** Rows as arrays; the columns of a statement have different names. */
export function asArrays(statement: StatementSync): StatementSync {
  if (typeof statement.setReturnArrays === "function") {
    statement.setReturnArrays(true);
    return statement;
  }
  const values = (row: unknown) => (row === undefined ? undefined : Object.values(row as object));
  const { get, all, iterate } = statement;
  return Object.assign(statement, {
    get: (...args: Parameters<typeof get>) => values(get.apply(statement, args)),
    all: (...args: Parameters<typeof all>) => all.apply(statement, args).map(values),
    *iterate(...args: Parameters<typeof iterate>) {
      for (const row of iterate.apply(statement, args)) yield values(row);
    },
  });
}
