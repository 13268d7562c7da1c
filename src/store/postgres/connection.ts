// One pool of connections, with the settings that every query relies on.
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { isLost, isSessionOver } from "./failures.ts";
import { storable } from "./text.ts";

export interface ConnectionOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
}

// Recall@10 at 100,000 chunks: .85 with pgvector's default of 40, .99 with 200.
const EF_SEARCH = 200;

/** Cleans all text on its way to the database, so that no query can forget to. */
const TYPES = {
  text: { to: 25, from: [25, 1043], serialize: toText, parse: String },
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  texts: { to: 1009, from: [1009], serialize: toArray(toText), parse: String },
  integers: { to: 1007, from: [1007], serialize: toArray(String), parse: fromNumbers },
  bigints: { to: 1016, from: [1016], serialize: toArray(String), parse: fromNumbers },
  doubles: { to: 1022, from: [1022], serialize: toArray(String), parse: fromNumbers },
  byteas: { to: 1001, from: [1001], serialize: toArray(toHex), parse: String },
};

export type Pool = postgres.Sql<{ bigint: number; text: string }>;
type Transaction = postgres.TransactionSql<{ bigint: number; text: string }>;
/** A pool or one of its transactions. */
export type Sql = postgres.ISql<{ bigint: number; text: string }>;

/** For a connection that listens. */
interface ListenerOptions {
  readonly max?: number;
  readonly onnotify?: (channel: string, payload: string) => void;
  readonly onclose?: () => void;
}

/**
 * If more statements than this are waiting, the client library begins a transaction on a connection that it has not
 * reserved.
 */
const PIPELINE = { max_pipeline: Number.MAX_SAFE_INTEGER };

export function openPool(options: ConnectionOptions, extra: ListenerOptions = {}): Pool {
  return postgres(options.url, {
    max: options.poolSize,
    connect_timeout: options.connectTimeoutMs / 1000,
    // Connections are renewed after a while, to follow a fail-over or a new certificate.
    max_lifetime: 30 * 60,
    ...PIPELINE,
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 2),
    onnotice: () => {},
    types: TYPES,
    // The library would fetch the array types on every connection, in a query whose failure cannot be
    // caught; the types we use are defined above.
    fetch_types: false,
    ...extra,
    connection: {
      application_name: "knowledge-server",
      statement_timeout: options.statementTimeoutMs,
      // A transaction whose client vanished must not hold its locks for long.
      idle_in_transaction_session_timeout: options.statementTimeoutMs,
      // JIT-compiling these queries takes longer than running them.
      jit: "off",
      "hnsw.ef_search": EF_SEARCH,
      "hnsw.iterative_scan": "relaxed_order",
    },
  }) as unknown as Pool;
}

/**
 * A network that drops every packet reports no error, so work that takes longer than `ms` fails like a lost connection.
 */
export async function withTimeout<T>(ms: number, work: PromiseLike<T>): Promise<T> {
  const stop = new AbortController();
  const late = sleep(ms, undefined, { ref: false, signal: stop.signal }).then(() => {
    throw Object.assign(new Error("no response in time"), { code: "ETIMEDOUT" });
  });
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
}

/**
 * False if the database does not respond. Tries a new connection, because an old one may be dead while the database
 * is not.
 */
export async function isReachable(options: ConnectionOptions): Promise<boolean> {
  const pool = openPool(options, { max: 1 });
  try {
    await withTimeout(options.connectTimeoutMs, pool`SELECT 1`);
    return true;
  } catch (thrown) {
    return !isLost(thrown);
  } finally {
    void pool.end({ timeout: 0 });
  }
}

/** A pooler usually gives out the session that was returned last, but other programs may have taken it. */
const ROUNDS = 5;

/**
 * For a pooler in transaction or statement mode, which gives a connection another session for each transaction: LISTEN,
 * prepared statements and the connection's settings then work by chance. Without one, a connection keeps its session,
 * and no other connection has the same.
 */
export async function refuseSharedSessions(pool: Pool, options: ConnectionOptions): Promise<void> {
  const other = openPool(options, { max: 1 });
  try {
    const [own, ours] = [new Set<string>(), new Set<string>()];
    for (let round = 0; round < ROUNDS; round++) {
      own.add(await sessionOf(other));
      ours.add(await sessionOf(pool));
      if (own.size === 1 && !ours.has([...own].join())) continue;
      throw new KnowledgeError("CONFIG_INVALID", toMessage("databasePooled"));
    }
  } finally {
    // Not awaited, because a dead connection would make this wait.
    void other.end({ timeout: 1 });
  }
}

/** As a simple query: a prepared one fails in the modes that are looked for. */
async function sessionOf(pool: Pool): Promise<string> {
  const [row] = await pool
    .unsafe<{ session: string }[]>(
      "SELECT pg_postmaster_start_time()::text || ' ' || pg_backend_pid() AS session",
    )
    .simple();
  return row?.session ?? "";
}

export interface Watched {
  readonly sql: Pool;
  /** True while the server has one of the statements; the others wait for a connection. */
  isSent(): boolean;
}

/** The library sets `active` while a connection waits for the response to this very statement. */
export function watched(pool: Pool): Watched {
  const statements: { readonly active?: boolean }[] = [];
  const sql = intercepted(pool, (make) => {
    const made = make();
    statements.push(made as { readonly active?: boolean });
    return made;
  });
  return { sql, isSent: () => statements.some(({ active }) => active === true) };
}

/** Calls `onStatement` for every statement that is made, by template or by text. */
function intercepted<Target extends Sql>(
  target: Target,
  onStatement: (make: () => unknown) => unknown,
): Target {
  return new Proxy(target, {
    apply: (call, self, args) => onStatement(() => Reflect.apply(call as never, self, args)),
    get(from, name, self) {
      const value = Reflect.get(from, name, self) as unknown;
      if (name !== "unsafe") return value;
      return (...args: unknown[]) =>
        onStatement(() => (value as (...given: unknown[]) => unknown)(...args));
    },
  });
}

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

/** Refuses statements after the transaction is over: they would run outside it, on a new connection. */
function guarded(transaction: Transaction, isOver: () => boolean): Sql {
  return intercepted(transaction as unknown as Sql, (make) => {
    // A plain call only builds a fragment or an identifier.
    if (isOver())
      throw Object.assign(new Error("transaction is over"), { code: "CONNECTION_CLOSED" });
    return make();
  });
}

/** Where the database is, without user, password and parameters. */
export function locationOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `postgres://${host}${pathname}`;
  } catch {
    return "postgres://";
  }
}

function toText(value: unknown): string {
  return storable(String(value));
}

function toHex(bytes: unknown): string {
  const { buffer, byteOffset, byteLength } = bytes as Uint8Array;
  return `\\x${Buffer.from(buffer, byteOffset, byteLength).toString("hex")}`;
}

/** PostgreSQL's form of an array: every element quoted. */
function toArray(serialize: (value: unknown) => string): (values: unknown) => string {
  return (values) => {
    const quoted = (values as readonly unknown[]).map((value) =>
      value === null ? "NULL" : `"${serialize(value).replaceAll(/["\\]/g, "\\$&")}"`,
    );
    return `{${quoted.join(",")}}`;
  };
}

function fromNumbers(text: string): number[] {
  return text === "{}" ? [] : text.slice(1, -1).split(",").map(Number);
}
