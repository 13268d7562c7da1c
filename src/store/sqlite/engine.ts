// Runs operations on one connection. Its promises resolve at once, so an operation that has begun ends before the thread
// takes its next message.
import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import {
  type Connection,
  type Dialect,
  type Engine,
  List,
  NOTHING,
  openCompiler,
  type Sql,
  sql,
  type Value,
  verbatim,
} from "../sql.ts";
import type { Database } from "./database.ts";
import { readOnly } from "./failures.ts";
import { rollBack } from "./older-node.ts";
import { openStatements } from "./statements.ts";

/** There is one knowledge base per file. */
const KB = 1;

const NO_LOCK = sql`SELECT 1`;

function openDialect(): Dialect {
  return {
    placeholder: () => "?",
    oneOf: (_type, place) => `IN (SELECT value FROM json_each(${place}))`,
    now: () => new Date().toISOString(),
    lease: openLeaseClock(),
    locked: NOTHING,
    skipLocked: NOTHING,
    locks: {
      shareWriting: () => NO_LOCK,
      writeAlone: () => NO_LOCK,
      originals: () => NO_LOCK,
      names: () => NO_LOCK,
      tryMerging: () => sql`SELECT 1 AS taken`,
    },
    ...documentStatements,
    announceScopes: () => NO_LOCK,
    reserveKeys,
  };
}

/**
 * A wall clock can jump; the kernel's monotonic clock is the same in every process of one boot, cannot jump, and stops
 * while the machine sleeps, as the workers do. Its name is that of the boot: no process outlives its boot.
 */
function openLeaseClock(): Dialect["lease"] {
  try {
    const name = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return { name, now: () => Number(process.hrtime.bigint() / 1_000_000n) };
  } catch {
    // Boots have no id here, so the wall clock is used; leases that begin later have ended.
    return { name: "wall", now: () => Date.now() };
  }
}

const documentStatements: Pick<
  Dialect,
  "noteChange" | "isAtPath" | "matchesPaths" | "empty" | "unlimited"
> = {
  noteChange: (kb) => sql`UPDATE bases SET changes = changes + 1,
    documents_changed_at = ${new Date().toISOString()} WHERE kb = ${kb}`,
  isAtPath: (path) => sql`d.source_path = ${path}`,
  matchesPaths: (globs) =>
    sql`matches_path(coalesce(d.source_path, d.filename), ${JSON.stringify(globs)})`,
  // Without a WHERE, SQLite frees a table's pages without visiting its rows.
  empty: (table) => verbatim(`DELETE FROM ${table}`),
  unlimited: NO_LOCK,
};

async function reserveKeys(db: Pick<Connection, "all">, count: number): Promise<readonly number[]> {
  const [row] = await db.all<{ next: number }>(sql`
    UPDATE bases SET next_key = next_key + ${count} WHERE kb = ${KB} RETURNING next_key AS next`);
  const first = Number(row?.next) - count;
  return Array.from({ length: count }, (_, at) => first + at);
}

/** What the engine needs of a connection. */
type StatementRunner = Pick<Database, "get" | "all" | "cells" | "run" | "read" | "write">;

export function openEngine(database: StatementRunner): Engine {
  return engineOn(database, openConnection(database, openDialect()));
}

function engineOn(database: StatementRunner, db: Connection): Engine {
  return {
    seenBy: (sight) => engineOn(database, { ...db, sight }),
    read: (work) => database.read(() => work(db)),
    write: (work) => database.write(() => work(db)),
  };
}

/** On a bare connection that only reads and never waits. */
export function openReadingEngine(connection: DatabaseSync): Engine {
  const refuse = () => {
    throw readOnly();
  };
  return openEngine({
    ...openStatements(connection, (work) => work()),
    run: refuse,
    async read(work) {
      connection.exec("BEGIN");
      try {
        return await work();
      } finally {
        rollBack(connection);
      }
    },
    write: async () => refuse(),
  });
}

type Input = string | number | null | Uint8Array;

function openConnection(database: StatementRunner, dialect: Dialect): Connection {
  const compile = openCompiler(dialect);
  const bound = (statement: Sql): [string, ...Input[]] => {
    const { text, values } = compile(statement);
    return [text, ...values.map(toInput)];
  };
  const all: Connection["all"] = async <Row>(statement: Sql) =>
    database.all<Row>(...bound(statement));
  return {
    kb: KB,
    dialect,
    all,
    one: async <Row>(statement: Sql) => database.get<Row>(...bound(statement)),
    cells: async <Row extends readonly unknown[]>(statement: Sql) =>
      database.cells<Row>(...bound(statement)),
    run: async (statement) => database.run(...bound(statement)),
    async together(statements) {
      const results: (readonly unknown[])[] = [];
      for (const statement of statements) results.push(await all(statement));
      return results;
    },
    async insert({ table, columns, after = NOTHING }, rows) {
      const names = Object.keys(columns).map((name) => `"${name}"`);
      const places = names.map(() => "?").join(", ");
      const { text } = compile(after);
      const statement = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${places}) ${text}`;
      let changed = 0;
      for (const row of rows) changed += database.run(statement, ...row.map(toInput));
      return changed;
    },
  };
}

function toInput(value: Value | List): Input {
  if (value instanceof List) return JSON.stringify(value.values);
  return typeof value === "boolean" ? Number(value) : value;
}
