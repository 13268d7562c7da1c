// A process of its own that brings the schema of the database at DATABASE_URL up to date, to a version that is made up.
import { openPool } from "../../../src/store/postgres/connection.ts";
import { prepare } from "../../../src/store/postgres/migrate.ts";
import { POSTGRES_MIGRATIONS } from "../../../src/store/schema.ts";

export const MADE_UP = "CREATE TABLE made_up AS SELECT doc FROM documents;";

const url = process.env["DATABASE_URL"];
if (url !== undefined) {
  const patience = { connectTimeoutMs: 60_000, statementTimeoutMs: 120_000 };
  const pool = openPool({ url, poolSize: 1, ...patience });
  await prepare(pool, "default", [...POSTGRES_MIGRATIONS, MADE_UP]);
  await pool.end();
}
