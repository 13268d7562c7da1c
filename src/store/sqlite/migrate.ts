// Brings a database to the schema of this program, and refuses one that a newer program wrote.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { KnowledgeError } from "../../domain/errors.ts";
import { DATABASE_FILE } from "./connect.ts";
import { damaged } from "./failures.ts";
import { addIdentity, ignoringDamage } from "./folder/identity-row.ts";
import { peekVersion } from "./folder/peek.ts";
import { rollBack } from "./older-node.ts";
import { retryWhileLocked } from "./retry-while-locked.ts";
import { LAST_ADDITION, MIGRATIONS } from "./schema.ts";

/** Runs before anything is created or recovered: a newer program's folder must stay byte-identical. */
export function refuseNewer(dataDir: string): void {
  const version = peekVersion(join(dataDir, DATABASE_FILE));
  if (version !== undefined) refuseForeign(version, { exact: false });
}

export function versionOf(connection: DatabaseSync): number {
  const row = retryWhileLocked(() => connection.prepare("PRAGMA user_version").get());
  return Number(row?.["user_version"]);
}

/** No program will ever have this many migrations, so a higher number means that the header was overwritten. */
const IMPLAUSIBLE_VERSION = 10_000;

export function refuseForeign(version: number, { exact }: { exact: boolean }): void {
  if (version >= IMPLAUSIBLE_VERSION) throw damaged();
  if (version > MIGRATIONS.length) {
    throw new KnowledgeError(
      "STORE_TOO_NEW",
      "This data folder was written by a newer version of the server. Update this server, or choose another folder with --data-dir.",
      { details: { found: version, known: MIGRATIONS.length } },
    );
  }
  if (exact && version < MIGRATIONS.length) {
    throw new KnowledgeError(
      "STORE_UNAVAILABLE",
      "This data folder needs an upgrade, but it is not writable. Give this user write access to it.",
    );
  }
}

export function migrate(connection: DatabaseSync, dataDir: string, run: string): void {
  refuseForeign(versionOf(connection), { exact: false });
  if (versionOf(connection) < MIGRATIONS.length) {
    migrateOnce(connection, dataDir, run);
    return;
  }
  ignoringDamage(() => {
    if (!hasAdditions(connection)) migrateOnce(connection, dataDir, run);
  });
}

function migrateOnce(connection: DatabaseSync, dataDir: string, run: string): void {
  retryWhileLocked(() => {
    connection.exec("BEGIN IMMEDIATE");
    try {
      // Another process may have migrated while this one waited for the lock.
      const from = versionOf(connection);
      refuseForeign(from, { exact: false });
      for (const sql of MIGRATIONS.slice(from)) connection.exec(sql);
      // In the transaction that creates the database, because one without an id counts as old and owns its folder.
      addIdentity(connection, { dataDir, createdBy: from === 0 ? run : undefined });
      if (from < MIGRATIONS.length) connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
      connection.exec("COMMIT");
    } catch (thrown) {
      rollBack(connection);
      throw thrown;
    }
  });
}

function hasAdditions(connection: DatabaseSync): boolean {
  const tables = "SELECT 1 FROM sqlite_schema WHERE name = ?";
  return retryWhileLocked(() => connection.prepare(tables).get(LAST_ADDITION)) !== undefined;
}
