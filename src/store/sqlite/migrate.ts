// Brings a database to the schema of this program, and refuses one that a newer program wrote.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { KnowledgeError } from "../../domain/errors.ts";
import { SQLITE_MIGRATIONS } from "../schema.ts";
import { DATABASE_FILE } from "./connect.ts";
import { damaged } from "./failures.ts";
import { addIdentity } from "./folder/identity.ts";
import { peekVersion } from "./folder/inspect-database.ts";
import { rollBack } from "./older-node.ts";
import { retryWhileLocked } from "./retry-while-locked.ts";

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

export function refuseForeign(
  version: number,
  { exact, latest = SQLITE_MIGRATIONS.length }: { exact: boolean; latest?: number },
): void {
  if (version >= IMPLAUSIBLE_VERSION) throw damaged();
  if (version > latest) {
    throw new KnowledgeError(
      "STORE_TOO_NEW",
      "This data folder was written by a newer version of the server. Update this server, or choose another folder with --data-dir.",
      { details: { found: version, known: latest } },
    );
  }
  if (exact && version < latest) {
    throw new KnowledgeError(
      "STORE_UNAVAILABLE",
      "This data folder needs an upgrade, but it is not writable. Give this user write access to it.",
    );
  }
}

/** `migrations` are this program's own, except in tests. */
export function migrate(
  connection: DatabaseSync,
  dataDir: string,
  migrations = SQLITE_MIGRATIONS,
): void {
  refuseForeign(versionOf(connection), { exact: false, latest: migrations.length });
  if (versionOf(connection) >= migrations.length) return;
  retryWhileLocked(() => {
    connection.exec("BEGIN IMMEDIATE");
    try {
      // Another process may have migrated while this one waited for the lock.
      const from = versionOf(connection);
      refuseForeign(from, { exact: false, latest: migrations.length });
      for (const sql of migrations.slice(from)) connection.exec(sql);
      // In the transaction that creates the database, so that there is none without an id.
      if (from === 0) addIdentity(connection, dataDir);
      connection.exec(`PRAGMA user_version = ${migrations.length}`);
      connection.exec("COMMIT");
    } catch (thrown) {
      rollBack(connection);
      throw thrown;
    }
  });
}
