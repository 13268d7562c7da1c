// Calls that survive a lost connection: reads are retried, writes only if it is certain that
// their transaction did not commit.
import { setTimeout as sleep } from "node:timers/promises";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import {
  type ConnectionOptions,
  inTransaction,
  isReachable,
  openPool,
  type Pool,
  refuseSharedSessions,
  type Sql,
  watched,
  withTimeout,
} from "./connection.ts";
import { codeOf, isLost, isTransient, toStoreError, UNRESERVED } from "./failures.ts";
import { prepare } from "./migrate.ts";
import { openReplicas, type Replicas } from "./replicas.ts";

export interface DatabaseOptions extends ConnectionOptions {
  readonly base: string;
  /** Streaming replicas of the database. */
  readonly readUrls?: readonly string[];
  /** How long a call waits for an unavailable database before it fails. */
  readonly retryForMs: number;
  readonly log: Log;
}

export interface Database {
  read<T>(work: (sql: Sql, kb: number) => Promise<T>): Promise<T>;
  /** The same from a replica, if one has everything that this process has written; others' changes may be missing. */
  readCopy<T>(work: (sql: Sql, kb: number) => Promise<T>): Promise<T>;
  readonly replicas: Pick<Replicas, "note" | "unusable">;
  /** `work` may run more than once; only one run is committed. */
  write<T>(work: (sql: Sql, kb: number) => Promise<T>): Promise<T>;
  /** One attempt with a time limit, for health checks. */
  probe<T>(timeoutMs: number, work: (sql: Sql, kb: number) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 1_000;
/** PostgreSQL's code for a transaction number that it has not issued. */
const IN_THE_FUTURE = "22023";
/** The pool's connections are dead, or one of them is left inside a transaction. */
const NEEDS_NEW_POOL = new Set(["CONNECT_TIMEOUT", UNRESERVED]);
/** While the database is known to be unavailable, further callers wait only this long. */
const UNAVAILABLE_RETRY_MS = 500;
/**
 * A read may take this many times the server's statement timeout: its few statements are quick unless the server is
 * overloaded.
 */
const READ_STATEMENTS = 2;
/** A call that has waited this long checks that the database is still reachable. */
const SILENT_MS = 5_000;

interface DatabaseState {
  pool: Pool;
  preparing?: Promise<number> | undefined;
  isClosed: boolean;
  /** The last call found the database unavailable. */
  isUnavailable: boolean;
  /** A new connection is being tried, because a call has waited too long. */
  isProbing: boolean;
}

interface DatabaseCore extends DatabaseOptions {
  readonly state: DatabaseState;
}

export function openDatabase(options: DatabaseOptions): Database {
  const flags = { isClosed: false, isUnavailable: false, isProbing: false };
  const state: DatabaseState = { pool: openPool(options), ...flags };
  const database: DatabaseCore = { ...options, state };
  const { readUrls = [] } = options;
  const replicas = openReplicas({ ...options, readUrls }, () => state.pool);
  const read: Database["read"] = (work) =>
    retrying(
      database,
      async (sql) => work(sql, await ready(database)),
      READ_STATEMENTS * options.statementTimeoutMs,
    );
  return {
    read,
    async readCopy(work) {
      if (readUrls.length === 0) return read(work);
      // Known since the first call, so it needs no primary.
      const kb = await ready(database).catch(() => undefined);
      const found = kb === undefined ? undefined : await replicas.read((sql) => work(sql, kb));
      return found ? found.result : read(work);
    },
    replicas,
    async write(work) {
      const result = await write(database, work);
      replicas.note();
      return result;
    },
    probe: (timeoutMs, work) => probe(database, timeoutMs, work),
    async close() {
      state.isClosed = true;
      await Promise.all([state.pool.end({ timeout: 5 }), replicas.close()]);
    },
  };
}

function ready(database: DatabaseCore): Promise<number> {
  const { state, base } = database;
  state.preparing ??= refuseSharedSessions(state.pool, database)
    .then(() => prepare(state.pool, base))
    .catch((thrown: unknown) => {
      state.preparing = undefined;
      throw thrown;
    });
  return state.preparing;
}

/**
 * A connection whose socket died in the middle of a write may never reconnect; a new pool costs only a
 * handshake and is reliable.
 */
function renew({ state, ...options }: DatabaseCore, failed: Pool): void {
  if (failed !== state.pool || state.isClosed) return;
  state.pool = openPool(options);
  void failed.end({ timeout: 1 });
  options.log.warn("store.pool-renewed");
}

/** A statement that the server has had for longer than `longestMs` waits for a dead connection. */
async function retrying<T>(
  database: DatabaseCore,
  attempt: (pool: Pool) => Promise<T>,
  longestMs: number,
) {
  const { state, retryForMs, log } = database;
  const waitMs = state.isUnavailable ? Math.min(retryForMs, UNAVAILABLE_RETRY_MS) : retryForMs;
  const deadline = performance.now() + waitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    const current = state.pool;
    const { sql, isSent } = watched(current);
    let sentAt = Number.POSITIVE_INFINITY;
    const look = () => {
      sentAt = isSent() ? Math.min(sentAt, performance.now()) : Number.POSITIVE_INFINITY;
      void renewIfDead(database, current, sentAt + longestMs);
    };
    const watch = setInterval(look, SILENT_MS).unref();
    try {
      const result = await attempt(sql);
      state.isUnavailable = false;
      return result;
    } catch (thrown) {
      if (NEEDS_NEW_POOL.has(codeOf(thrown))) renew(database, current);
      const isLast = state.isClosed || performance.now() + pauseMs > deadline;
      if (isLast || !isTransient(thrown)) {
        state.isUnavailable = isLost(thrown);
        throw toStoreError(thrown);
      }
      log.debug("store.retry", { code: codeOf(thrown), pauseMs });
      await sleep(pauseMs * (0.5 + Math.random() / 2));
    } finally {
      clearInterval(watch);
    }
  }
}

/**
 * The server ends each statement in time, but its message may never arrive. Without this check the call would wait
 * until the operating system gives up on the connection, a quarter of an hour.
 */
async function renewIfDead(database: DatabaseCore, pool: Pool, longest: number): Promise<void> {
  const { state } = database;
  if (state.isProbing || state.isClosed) return;
  state.isProbing = true;
  const isAlive = await isReachable(database);
  state.isProbing = false;
  if (!isAlive || performance.now() > longest) renew(database, pool);
}

async function write<T>(database: DatabaseCore, work: (sql: Sql, kb: number) => Promise<T>) {
  let committing: { readonly result: T; readonly commit: Commit } | undefined;
  return retrying(
    database,
    async (sql) => {
      const kb = await ready(database);
      if (committing && (await hasCommitted(sql, committing.commit))) return committing.result;
      committing = undefined;
      const { result } = await inTransaction(
        sql,
        async (transaction) => {
          // Not awaited yet, so that it is sent together with the first statement.
          const named = transaction<Commit[]>`
          SELECT pg_current_xact_id()::text AS xid, ${runOf(transaction)} AS run`.execute();
          const working = (async () => work(transaction, kb))();
          const [made, [commit]] = await Promise.all([working, named]);
          return { result: made, commit: commit as Commit };
        },
        (written) => {
          committing = written;
        },
      );
      return result;
    },
    // Storing a large document may take any number of statements.
    Number.POSITIVE_INFINITY,
  );
}

async function probe<T>(
  database: DatabaseCore,
  timeoutMs: number,
  work: (sql: Sql, kb: number) => Promise<T>,
): Promise<T> {
  try {
    return await withTimeout(
      timeoutMs,
      ready(database).then((kb) => work(database.state.pool, kb)),
    );
  } catch (thrown) {
    throw toStoreError(thrown);
  }
}

interface Commit {
  /** The transaction's number. */
  readonly xid: string;
  readonly run: string;
}

/**
 * Changes whenever the server restarts or crashes: combines the start time of its first process with the time of its
 * last statistics reset, which crash recovery performs. Before PostgreSQL 15, reading the latter may block.
 */
const runOf = (sql: Sql) => sql`pg_postmaster_start_time()::text || CASE
  WHEN current_setting('server_version_num')::integer >= 150000
  THEN coalesce(pg_stat_get_bgwriter_stat_reset_time()::text, '') ELSE '' END`;

/**
 * Used after the connection was lost during a commit. A server that crashed reuses the numbers it has
 * forgotten, so after a crash "committed" may refer to another transaction.
 */
async function hasCommitted(sql: Sql, { xid, run }: Commit): Promise<boolean> {
  for (;;) {
    const row = await statusOf(sql, xid);
    if (row?.status === "committed" && row.run !== run) throw unknownOutcome();
    if (row?.status !== "in progress") return row?.status === "committed";
    await sleep(FIRST_PAUSE_MS);
  }
}

/** After a crash the database may no longer know the number. A transaction that it has forgotten was not committed. */
async function statusOf(sql: Sql, xid: string) {
  try {
    const [row] = await sql<{ status: string | null; run: string }[]>`
      SELECT pg_xact_status(${xid}::text::xid8) AS status, ${runOf(sql)} AS run`;
    return row;
  } catch (thrown) {
    if (codeOf(thrown) === IN_THE_FUTURE) return undefined;
    throw thrown;
  }
}

function unknownOutcome(): KnowledgeError {
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    "The database restarted during the change, so it is unknown whether it was stored. Try again; the same file is never stored twice.",
    { details: { outcome: "unknown" } },
  );
}
