// One pool of connections, with the settings that every query relies on.
import postgres from "postgres";
import { storable, storableJson } from "./text.ts";

export interface ConnectionOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
}

// Recall@10 at 100,000 chunks: .85 with pgvector's default of 40, .99 with 200.
const EF_SEARCH = 200;

const OID = { text: 25, bigint: 20, jsonb: 3802 };

/** Text is made storable here, on its way out, so that no query can forget to. */
const TYPES = {
  text: { to: OID.text, from: [OID.text, 1043], serialize: toText, parse: (text: string) => text },
  bigint: { to: OID.bigint, from: [OID.bigint], serialize: String, parse: Number },
  jsonb: {
    to: OID.jsonb,
    from: [114, OID.jsonb],
    serialize: (value: unknown) => JSON.stringify(storableJson(value)),
    parse: (text: string) => JSON.parse(text) as unknown,
  },
};

export type Pool = postgres.Sql<{ bigint: number; jsonb: unknown; text: string }>;
export type Transaction = postgres.TransactionSql<{ bigint: number; jsonb: unknown; text: string }>;
/** A pool or a transaction of it: what a query is written against. */
export type Sql = postgres.ISql<{ bigint: number; jsonb: unknown; text: string }>;

/** For a connection that listens. */
interface ListenerOptions {
  readonly max?: number;
  readonly onnotify?: (channel: string, payload: string) => void;
  readonly onclose?: () => void;
}

export function openPool(options: ConnectionOptions, extra: ListenerOptions = {}): Pool {
  return postgres(options.url, {
    max: options.poolSize,
    connect_timeout: options.connectTimeoutMs / 1000,
    // Connections are given back after a while, so that a fail-over or a new certificate is followed.
    max_lifetime: 30 * 60,
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 2),
    onnotice: () => {},
    types: TYPES,
    ...extra,
    connection: {
      application_name: "knowledge-server",
      statement_timeout: options.statementTimeoutMs,
      // A transaction whose client vanished must not hold its locks for long.
      idle_in_transaction_session_timeout: options.statementTimeoutMs,
      "hnsw.ef_search": EF_SEARCH,
      "hnsw.iterative_scan": "relaxed_order",
    },
  }) as unknown as Pool;
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
