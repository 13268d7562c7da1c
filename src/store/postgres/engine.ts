// Runs operations on the pool: reads on any connection, writes in a transaction.

import type { Sight } from "../../domain/call/sight.ts";
import { toPathRegex } from "../../text/patterns/glob.ts";
import { POSTGRES_TABLES } from "../schema.ts";
import {
  type Connection,
  type Dialect,
  type Engine,
  type Insertion,
  json,
  List,
  openCompiler,
  type Sql as Statement,
  sql,
  type Value,
  verbatim,
} from "../sql.ts";
import type { Sql } from "./connection.ts";
import type { Database } from "./database.ts";
import { SCOPES_CHANNEL } from "./scopes-version.ts";

/**
 * Milliseconds of the database's clock, the only one that all servers share. Read again for each row: PostgreSQL checks a
 * row again if another worker has just claimed it, and by an earlier time that lease would begin in the future, as if the
 * clock had been set back.
 */
const CLOCK_MS = sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`;
const NOW = sql`to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const WRITING = (kb: number) => sql`hashtextextended('knowledge.writing', ${kb})`;

const MERGING = (kb: number) => sql`hashtextextended('knowledge.merge', ${kb})`;

const lockAll = (kb: number, names: readonly string[]) =>
  sql`SELECT pg_advisory_xact_lock(lock) FROM (SELECT hashtextextended(value, ${kb}) AS lock
    FROM json_array_elements_text(CAST(CAST(${json(names)} AS text) AS json)) AS name (value) ORDER BY 1) locks`;

const hashOf = (text: Statement) =>
  sql`sha256(decode(replace(${text}, chr(92), repeat(chr(92), 2)), 'escape'))`;

/** `tasks` → `knowledge.tasks`. Not by search_path: a pooler may drop what a connection sets at its start. */
const TABLES = new RegExp(
  String.raw`\b(FROM|JOIN|INTO|UPDATE|ON)(\s+)(${POSTGRES_TABLES.join("|")})\b(?!\.)`,
  "g",
);
const inSchema = (text: string) => text.replace(TABLES, "$1$2knowledge.$3");

export const DIALECT: Dialect = {
  finish: inSchema,
  placeholder: (number) => `$${number}`,
  oneOf: (type, place) => `= ANY(${place}::${type}[])`,
  now: () => NOW,
  lease: { name: "database", now: () => CLOCK_MS },
  locked: sql`FOR UPDATE`,
  skipLocked: sql`FOR UPDATE SKIP LOCKED`,
  locks: {
    shareWriting: (kb) => sql`SELECT pg_advisory_xact_lock_shared(${WRITING(kb)})`,
    writeAlone: (kb) => sql`SELECT pg_advisory_xact_lock(${WRITING(kb)})`,
    originals: (kb, hashes) =>
      lockAll(
        kb,
        hashes.map((hash) => `original ${hash}`),
      ),
    names: lockAll,
    tryMerging: (kb) => sql`SELECT pg_try_advisory_xact_lock(${MERGING(kb)}) AS taken`,
  },
  // Skipped while another writer is recording its own change, so that writers do not wait for each other.
  noteChange: (kb) => sql`UPDATE bases SET documents_changed_at = ${NOW} WHERE kb =
    (SELECT kb FROM bases WHERE kb = ${kb} FOR UPDATE SKIP LOCKED)`,
  // Compares the indexed hash, because a path can be too long for an index.
  isAtPath: (path) => sql`(${hashOf(sql`d.source_path`)} = ${hashOf(sql`CAST(${path} AS text)`)}
    AND d.source_path = ${path})`,
  matchesPaths: (globs) => sql`EXISTS (
    SELECT 1 FROM json_array_elements_text(CAST(CAST(${json(globs.map(toPathRegex))} AS text) AS json)) AS g (glob)
    WHERE replace(coalesce(d.source_path, d.filename), ${"\\"}, '/') ~ g.glob)`,
  empty: (table, kb) => sql`DELETE FROM ${verbatim(table)} WHERE kb = ${kb}`,
  unlimited: sql`SET LOCAL statement_timeout = 0`,
  announceScopes: (kb, version) => sql`SELECT pg_notify(${SCOPES_CHANNEL}, ${`${kb} ${version}`})`,
  async reserveKeys(db, count) {
    const rows = await db.all<{ key: number }>(
      sql`SELECT nextval('knowledge.chunk_keys') AS key FROM generate_series(1, CAST(${count} AS integer))`,
    );
    return rows.map(({ key }) => key);
  },
};

type Compile = ReturnType<typeof openCompiler>;

export interface PostgresEngine extends Engine, Pick<Database, "replicas"> {
  seenBy(sight: Sight): PostgresEngine;
  /** For what people ask to see; decisions are made by what the primary has. */
  readonly copies: Engine;
  /** One attempt with a time limit, for health checks. */
  probe<Result>(ms: number, work: (db: Connection) => Promise<Result>): Promise<Result>;
}

export function openEngine(database: Database): PostgresEngine {
  return engineOn(database, openCompiler(DIALECT));
}

function engineOn(database: Database, compile: Compile, sight?: Sight): PostgresEngine {
  const { read, readCopy, replicas, write, probe } = database;
  const on =
    <Result>(work: (db: Connection) => Promise<Result>) =>
    (native: Sql, kb: number) =>
      work({ ...openConnection(native, kb, compile), sight });
  const seenBy = (narrower: Sight) => engineOn(database, compile, narrower);
  const engine: Engine = {
    seenBy,
    read: (work) => read(on(work)),
    write: (work) => write(on(work)),
  };
  return {
    ...engine,
    seenBy,
    copies: { ...engine, read: (work) => readCopy(on(work)) },
    replicas,
    probe: (ms, work) => probe(ms, on(work)),
  };
}

/** Also prepared if there are no values. */
const PREPARED = { prepare: true, simple: false } as const;

/** The numbers of the array types. */
const ARRAYS = { text: 1009, integer: 1007, bigint: 1016, bytea: 1001, halfvec: 1009 } as const;

function openConnection(native: Sql, kb: number, compile: Compile): Connection {
  const toParameter = (value: Value | List) =>
    value instanceof List ? native.typed(value.values, ARRAYS[value.type]) : value;
  const send = <Row>(statement: Statement) => {
    const { text, values } = compile(statement);
    return native.unsafe<Row[]>(text, values.map(toParameter) as never[], PREPARED);
  };
  return {
    kb,
    dialect: DIALECT,
    one: async <Row>(statement: Statement) => (await send<Row>(statement))[0],
    all: async <Row>(statement: Statement) => send<Row>(statement),
    cells: async <Row extends readonly unknown[]>(statement: Statement) =>
      (await send(statement).values()) as unknown as readonly Row[],
    run: async (statement) => (await send(statement)).count,
    together(statements) {
      const queries = statements.map((statement) => send(statement));
      // All are sent before the first result is awaited: one round trip.
      for (const query of queries) query.execute();
      return Promise.all(queries);
    },
    async insert(into, rows) {
      if (rows.length === 0) return 0;
      const lists = Object.values(into.columns).map((type, at) =>
        native.typed(
          rows.map((row) => row[at]),
          ARRAYS[type],
        ),
      );
      const { count } = await native.unsafe(toInsert(into, compile), lists as never[], PREPARED);
      return count;
    },
  };
}

/** An extension's type has no fixed number, so its values are sent as text. */
function toInsert({ table, columns, after }: Insertion, compile: Compile): string {
  const types = Object.entries(columns);
  const names = types.map(([name]) => `"${name}"`).join(", ");
  const lists = types.map(([, type], at) => `$${at + 1}::${type === "halfvec" ? "text" : type}[]`);
  const values = types.map(([name, type]) =>
    type === "halfvec" ? `"${name}"::halfvec` : `"${name}"`,
  );
  return `INSERT INTO knowledge.${table} (${names}) SELECT ${values.join(", ")} FROM unnest(${lists.join(", ")})
    WITH ORDINALITY AS t (${names}, place) ORDER BY place ${after ? compile(after).text : ""}`;
}
