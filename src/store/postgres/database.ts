// Calls that outlive a lost connection: reads are repeated, writes are repeated only when it is known that
// their transaction did not commit.
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../observe/log.ts";
import { type ConnectionOptions, openPool, type Pool, type Sql } from "./connection.ts";
import { codeOf, isLost, isTransient, toStoreError } from "./failures.ts";
import { prepare } from "./migrate.ts";
import { inTransaction } from "./transaction.ts";

export interface DatabaseOptions extends ConnectionOptions {
  readonly base: string;
  /** How long a call waits for an unavailable database before it fails. */
  readonly retryForMs: number;
  readonly log: Log;
}

export interface Database {
  read<T>(work: (sql: Sql, kb: number) => Promise<T>): Promise<T>;
  /** `work` may run more than once; only one run is committed. */
  write<T>(work: (sql: Sql, kb: number) => Promise<T>): Promise<T>;
  /** One try, for health checks. */
  probe(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 1_000;
/** While it is known to be unavailable, callers are not kept waiting one after the other. */
const AWAY_RETRY_MS = 500;

export function openDatabase(options: DatabaseOptions): Database {
  const { log, retryForMs } = options;
  let pool = openPool(options);
  let preparing: Promise<number> | undefined;
  let closed = false;
  let away = false;

  const ready = (): Promise<number> => {
    preparing ??= prepare(pool, options.base).catch((thrown: unknown) => {
      preparing = undefined;
      throw thrown;
    });
    return preparing;
  };

  // A connection whose socket died in the middle of a write can be left unable to connect again; a new
  // pool costs a handshake and is sure.
  const renew = (failed: Pool) => {
    if (failed !== pool || closed) return;
    pool = openPool(options);
    void failed.end({ timeout: 1 });
    log.warn("store.pool_renewed");
  };

  const retrying = async <T>(attempt: (pool: Pool) => Promise<T>): Promise<T> => {
    const deadline = performance.now() + (away ? Math.min(retryForMs, AWAY_RETRY_MS) : retryForMs);
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const current = pool;
      try {
        const result = await attempt(current);
        away = false;
        return result;
      } catch (thrown) {
        if (codeOf(thrown) === "CONNECT_TIMEOUT") renew(current);
        if (closed || !isTransient(thrown) || performance.now() + pauseMs > deadline) {
          away = isLost(thrown);
          throw toStoreError(thrown);
        }
        log.debug("store.retry", { code: codeOf(thrown), pauseMs });
        await sleep(pauseMs * (0.5 + Math.random() / 2));
      }
    }
  };

  return {
    read: (work) => retrying(async (sql) => work(sql, await ready())),
    async write<T>(work: (sql: Sql, kb: number) => Promise<T>): Promise<T> {
      let committing: { readonly xid: string; readonly result: T } | undefined;
      return retrying(async (sql) => {
        const kb = await ready();
        if (committing && (await hasCommitted(sql, committing.xid))) return committing.result;
        committing = undefined;
        return inTransaction(sql, async (transaction) => {
          // Goes out along with the first statement.
          const named = transaction<{ xid: string }[]>`SELECT pg_current_xact_id()::text AS xid`;
          const [result, [row]] = await Promise.all([work(transaction, kb), named.execute()]);
          if (row) committing = { xid: row.xid, result };
          return result;
        });
      });
    },
    async probe(timeoutMs) {
      const failed = sleep(timeoutMs, undefined, { ref: false }).then(() => {
        throw Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" });
      });
      try {
        await Promise.race([ready().then(() => pool`SELECT 1`), failed]);
      } catch (thrown) {
        throw toStoreError(thrown);
      }
    },
    async close() {
      closed = true;
      await pool.end({ timeout: 5 });
    },
  };
}

/** Asked after the connection was lost while a commit was under way. */
async function hasCommitted(sql: Sql, xid: string): Promise<boolean> {
  for (;;) {
    const [row] = await sql<{ status: string | null }[]>`
      SELECT pg_xact_status(${xid}::text::xid8) AS status`;
    if (row?.status !== "in progress") return row?.status === "committed";
    await sleep(FIRST_PAUSE_MS);
  }
}
