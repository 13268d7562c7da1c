// One pool of connections, with the settings that every query relies on.
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { isLost } from "./failures.ts";
import { storable, storableJson } from "./text.ts";

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
  jsonb: { to: 3802, from: [114, 3802], serialize: toJson, parse: fromJson },
  texts: { to: 1009, from: [1009], serialize: toArray(toText), parse: String },
  integers: { to: 1007, from: [1007], serialize: toArray(String), parse: fromNumbers },
  bigints: { to: 1016, from: [1016], serialize: toArray(String), parse: fromNumbers },
  doubles: { to: 1022, from: [1022], serialize: toArray(String), parse: fromNumbers },
  jsonbs: { to: 3807, from: [3807], serialize: toArray(toJson), parse: String },
};

export type Pool = postgres.Sql<{ bigint: number; jsonb: unknown; text: string }>;
export type Transaction = postgres.TransactionSql<{ bigint: number; jsonb: unknown; text: string }>;
/** A pool or one of its transactions. */
export type Sql = postgres.ISql<{ bigint: number; jsonb: unknown; text: string }>;

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

export interface Watched {
  readonly sql: Pool;
  /** True while the server has one of the statements; the others wait for a connection. */
  isSent(): boolean;
}

/** The library sets `active` while a connection waits for the response to this very statement. */
export function watched(pool: Pool): Watched {
  const statements: { readonly active?: boolean }[] = [];
  const sql = new Proxy(pool, {
    apply(target, self, args) {
      const made = Reflect.apply(target as never, self, args) as { readonly active?: boolean };
      statements.push(made);
      return made;
    },
  });
  return { sql, isSent: () => statements.some(({ active }) => active === true) };
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

function toJson(value: unknown): string {
  return JSON.stringify(storableJson(value));
}

function fromJson(text: string): unknown {
  return JSON.parse(text) as unknown;
}

/** PostgreSQL's form of an array: every element quoted. */
function toArray(serialize: (value: unknown) => string): (values: unknown) => string {
  return (values) => {
    const quoted = (values as readonly unknown[]).map(
      (value) => `"${serialize(value).replaceAll(/["\\]/g, "\\$&")}"`,
    );
    return `{${quoted.join(",")}}`;
  };
}

function fromNumbers(text: string): number[] {
  return text === "{}" ? [] : text.slice(1, -1).split(",").map(Number);
}
