// Brings the schema up to date, one process at a time, and finds the number of the knowledge base.
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { fingerprintOf, POSTGRES_MIGRATIONS } from "../schema.ts";
import { inTransaction, type Pool, type Sql } from "./connection.ts";
import { codeOf } from "./failures.ts";

/** The first version with halfvec and iterative scans. */
const MIN_PGVECTOR_MINOR = 8;
/** An arbitrary number that nothing else locks. */
const MIGRATION_LOCK = 7_203_451_902;

/** `migrations` are this program's own, except in tests. */
export async function prepare(
  pool: Pool,
  base: string,
  migrations = POSTGRES_MIGRATIONS,
): Promise<number> {
  // The common case costs two reads and takes no lock.
  if (!(await isCurrent(pool, migrations)))
    await inTransaction(pool, (sql) => migrate(sql, migrations));
  const name = base.normalize("NFC");
  const [found] = await pool<{ kb: number }[]>`
    SELECT kb FROM knowledge.bases WHERE name = ${name}`;
  if (found) return found.kb;
  const [made] = await pool<{ kb: number }[]>`
    INSERT INTO knowledge.bases (name) VALUES (${name})
    ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING kb`;
  return (made as { kb: number }).kb;
}

async function isCurrent(sql: Sql, migrations: readonly string[]): Promise<boolean> {
  const [there] = await sql<{ present: boolean }[]>`
    SELECT to_regclass('knowledge.migrations') IS NOT NULL AS present`;
  return there?.present === true && (await appliedVersion(sql, migrations)) >= migrations.length;
}

async function appliedVersion(sql: Sql, migrations: readonly string[]): Promise<number> {
  // As JSON, because the table itself may be another version's.
  const [row] = await sql<{ version: number; fingerprint: string | null }[]>`
    SELECT version, to_jsonb(m) ->> 'fingerprint' AS fingerprint FROM knowledge.migrations m
    ORDER BY version DESC LIMIT 1`;
  const { version, fingerprint } = row ?? { version: 0, fingerprint: null };
  if (version > migrations.length) {
    throw new KnowledgeError(
      "STORE_TOO_NEW",
      "The database was upgraded by a newer version of this program. Upgrade this server too.",
    );
  }
  if (version > 0 && Number(fingerprint) !== fingerprintOf(migrations, version))
    throw new KnowledgeError("STORE_UNAVAILABLE", toMessage("databaseOfOther"));
  return version;
}

async function migrate(sql: Sql, migrations: readonly string[]): Promise<void> {
  await sql`SET LOCAL statement_timeout = 0`;
  // Migrations name no schema, as statements do not; types of extensions are found where they were.
  await sql`SELECT set_config('search_path', 'knowledge, ' || current_setting('search_path'), true)`;
  await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`;
  await needVectors(sql);
  const [schema] = await sql`SELECT 1 FROM pg_namespace WHERE nspname = 'knowledge'`;
  if (!schema) await sql`CREATE SCHEMA knowledge`;
  await sql`CREATE TABLE IF NOT EXISTS knowledge.migrations (
    version integer PRIMARY KEY, fingerprint integer, applied_at timestamptz NOT NULL DEFAULT now())`;
  const from = await appliedVersion(sql, migrations);
  for (const [index, migration] of migrations.slice(from).entries()) {
    await sql.unsafe(migration);
    const version = from + index + 1;
    await sql`INSERT INTO knowledge.migrations (version, fingerprint)
      VALUES (${version}, ${fingerprintOf(migrations, version)})`;
  }
}

async function needVectors(sql: Sql): Promise<void> {
  const [found] = await sql`SELECT 1 FROM pg_extension WHERE extname = 'vector'`;
  try {
    if (!found) await sql`CREATE EXTENSION vector`;
  } catch (cause) {
    if (!["42501", "0A000", "58P01"].includes(codeOf(cause))) throw cause;
    throw new KnowledgeError(
      "STORE_UNAVAILABLE",
      'The database lacks the extension "vector". Have an administrator run: CREATE EXTENSION vector;',
      { cause },
    );
  }
  const [row] = await sql<{ version: string }[]>`
    SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'`;
  const [major = 0, minor = 0] = (row?.version ?? "").split(".").map(Number);
  if (major === 0 && minor < MIN_PGVECTOR_MINOR) {
    throw new KnowledgeError(
      "STORE_UNAVAILABLE",
      `The database has pgvector ${row?.version}; 0.${MIN_PGVECTOR_MINOR} or later is needed: ALTER EXTENSION vector UPDATE;`,
    );
  }
}
