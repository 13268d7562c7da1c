// SQLite's integrity check of a database file, and what is counted to compare it with what was written.
import type { DatabaseSync } from "node:sqlite";
import type { BackupReport } from "../../store.ts";

type Counts = Pick<BackupReport, "documents" | "chunks" | "scopes">;

/** Empty if the database is intact. Throws what SQLite throws when the file is too damaged to be checked. */
export function integrityOf(database: DatabaseSync): readonly string[] {
  return database
    .prepare("PRAGMA integrity_check(20)")
    .all()
    .map((row) => String(row["integrity_check"]))
    .filter((line) => line !== "ok");
}

export function countsOf(database: DatabaseSync): Counts {
  const count = (table: string) =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  return { documents: count("documents"), chunks: count("chunks"), scopes: count("scopes") };
}

export function isAsWritten(database: DatabaseSync, written: Counts): boolean {
  const { documents, chunks, scopes } = countsOf(database);
  const isSame =
    documents === written.documents && chunks === written.chunks && scopes === written.scopes;
  return isSame && integrityOf(database).length === 0;
}
