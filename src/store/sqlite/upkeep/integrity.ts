// SQLite's integrity check of a database file.
import type { DatabaseSync } from "node:sqlite";
import type { BackupReport } from "../../store.ts";

/** Empty if the database is intact. Throws what SQLite throws when the file is too damaged to be checked. */
export function integrityOf(database: DatabaseSync): readonly string[] {
  return database
    .prepare("PRAGMA integrity_check(20)")
    .all()
    .map((row) => String(row["integrity_check"]))
    .filter((line) => line !== "ok");
}

export function countsOf(
  database: DatabaseSync,
): Pick<BackupReport, "documents" | "chunks" | "scopes"> {
  const count = (table: string) =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  return { documents: count("documents"), chunks: count("chunks"), scopes: count("scopes") };
}
