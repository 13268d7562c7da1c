// Brings a database to the schema of this program, and refuses one that a newer program wrote, or one with other tables.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { fingerprintOf, SQLITE_MIGRATIONS } from "../schema.ts";
import { DATABASE_FILE } from "./connect.ts";
import { damaged } from "./failures.ts";
import { addIdentity } from "./folder/identity.ts";
import { peekSchema, readMark, type SchemaMark } from "./folder/inspect-database.ts";
import { rollBack } from "./older-node.ts";
import { retryWhileLocked } from "./retry-while-locked.ts";

/** Runs before anything is created or recovered: a folder that is refused must stay byte-identical. */
export function refuseNewer(dataDir: string): void {
  const schema = peekSchema(join(dataDir, DATABASE_FILE));
  if (schema !== undefined) refuseForeign(schema, { exact: false });
}

export function schemaOf(connection: DatabaseSync): SchemaMark {
  return retryWhileLocked(() => readMark(connection));
}

/** No program will ever have this many migrations, so a higher number means that the header was overwritten. */
const IMPLAUSIBLE_VERSION = 10_000;

export function refuseForeign(
  { version, fingerprint }: SchemaMark,
  { exact, migrations = SQLITE_MIGRATIONS }: { exact: boolean; migrations?: readonly string[] },
): void {
  const latest = migrations.length;
  if (version >= IMPLAUSIBLE_VERSION) throw damaged();
  if (version > latest) {
    throw new KnowledgeError(
      "STORE_TOO_NEW",
      "This data folder was written by a newer version of the server. Update this server, or choose another folder with --data-dir.",
      { details: { found: version, known: latest } },
    );
  }
  if (version > 0 && fingerprint !== fingerprintOf(migrations, version))
    throw new KnowledgeError("STORE_UNAVAILABLE", toMessage("folderOfOther"));
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
  const check = () => {
    const schema = schemaOf(connection);
    refuseForeign(schema, { exact: false, migrations });
    return schema.version;
  };
  if (check() >= migrations.length) return;
  retryWhileLocked(() => {
    connection.exec("BEGIN IMMEDIATE");
    try {
      // Another process may have migrated while this one waited for the lock.
      const from = check();
      for (const sql of migrations.slice(from)) connection.exec(sql);
      // In the transaction that creates the database, so that there is none without an id.
      if (from === 0) addIdentity(connection, dataDir);
      markSchema(connection, migrations);
      connection.exec("COMMIT");
    } catch (thrown) {
      rollBack(connection);
      throw thrown;
    }
  });
}

export function markSchema(connection: DatabaseSync, migrations = SQLITE_MIGRATIONS): void {
  const fingerprint = fingerprintOf(migrations, migrations.length);
  connection.exec(`PRAGMA user_version = ${migrations.length};
    PRAGMA application_id = ${fingerprint}`);
}
