import { intercepted, type Pool, type Sql, type Transaction } from "./connection.ts";
import { isSessionOver } from "./failures.ts";

/**
 * The client library sends a COMMIT or a ROLLBACK when `work` ends. On a connection that is already closed this
 * throws an error that cannot be caught. So after a loss `work` never ends, and closing the connection ends the
 * transaction instead. `onCommit` runs right before the COMMIT is sent.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (sql: Sql) => Promise<T>,
  onCommit?: (result: T) => void,
): Promise<T> {
  let over = false;
  const outcome = pool.begin(async (transaction) => {
    try {
      const result = await work(guarded(transaction, () => over));
      if (over) return never();
      onCommit?.(result);
      return result;
    } catch (thrown) {
      if (over || isSessionOver(thrown)) return never();
      throw thrown;
    }
  });
  try {
    return (await outcome) as T;
  } finally {
    over = true;
  }
}

const never = () => new Promise<never>(() => {});

interface Query extends PromiseLike<unknown> {
  execute(): unknown;
}

/** Sends the statements in this order without waiting in between: one round trip for all. */
export function pipeline<Queries extends readonly Query[]>(
  ...queries: Queries
): Promise<{ -readonly [At in keyof Queries]: Awaited<Queries[At]> }> {
  for (const query of queries) query.execute();
  return Promise.all(queries);
}

/** Refuses statements after the transaction is over: they would run outside it, on a new connection. */
function guarded(transaction: Transaction, isOver: () => boolean): Sql {
  return intercepted(transaction as unknown as Sql, (make) => {
    // A plain call only builds a fragment or an identifier.
    if (isOver())
      throw Object.assign(new Error("transaction is over"), { code: "CONNECTION_CLOSED" });
    return make();
  });
}
