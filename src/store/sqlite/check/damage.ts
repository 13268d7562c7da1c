// Checks whether a database is damaged, without changing a byte of it and without false alarms.
import { randomUUID } from "node:crypto";
import { constants, copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SQLITE_MIGRATIONS } from "../../schema.ts";
import type { Loss } from "../../store.ts";
import { DATABASE_FILE } from "../connect.ts";
import { isDamage, isMachineFault } from "../failures.ts";
import { inspectWal, openWithoutLog } from "../folder/peek.ts";
import { overwritePages, type Pages, schemaPages } from "../repair/model-schema.ts";
import { integrityOf } from "./check.ts";
import { checkContent } from "./check-content.ts";

const LAST_CHANGES: Loss = {
  kind: "log",
  name: "knowledge.db-wal",
  what: "the last changes before the damage",
};

export interface Diagnosis {
  /** SQLite's messages; empty if the database is intact. */
  readonly damage: readonly string[];
  /** Losses that cannot be recovered. */
  readonly losses: readonly Loss[];
  /** Opens the database for reading, if it opens at all. */
  open(): DatabaseSync | undefined;
}

/** `workDir` is a private folder on the same disk, for a copy in case reading would change the files. */
export function diagnose(dataDir: string, workDir: string): Diagnosis {
  const path = join(dataDir, DATABASE_FILE);
  const log = inspectLog(`${path}-wal`);
  // Opening a file with a log writes the log back, so only a copy may be opened.
  const plain = log.isEmpty ? () => openWithoutLog(path) : () => openCopy(path, workDir);
  const damage = [...log.damage, ...check(plain)];
  // Without the list of tables nothing is readable; the list of another database works as well.
  const patched = SQLITE_MIGRATIONS.map((_, at) => () => {
    return openCopy(path, workDir, schemaPages(workDir, SQLITE_MIGRATIONS.length - at));
  });
  const open = damage.length === 0 ? plain : [plain, ...patched].find(isReadable);
  const losses = log.damage.map((): Loss => LAST_CHANGES);
  return { damage, losses, open: () => open?.() };
}

function check(open: () => DatabaseSync): readonly string[] {
  let database: DatabaseSync | undefined;
  try {
    database = open();
    const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
    // Tables are created together with the first version number.
    if (version === 0) return ["the database is empty"];
    const found = integrityOf(database);
    return found.length > 0 ? found : checkContent(database);
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    return [thrown instanceof Error ? thrown.message : "the file cannot be read"];
  } finally {
    database?.close();
  }
}

const TABLES = ["documents", "texts", "chunks", "tasks", "scopes", "categories", "entries"];

/** Only checks that the tables are listed, not that their pages are readable. */
function isReadable(open: () => DatabaseSync): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = open();
    for (const table of TABLES) database.prepare(`SELECT * FROM ${table}`);
    return true;
  } catch (thrown) {
    if (isMachineFault(thrown)) throw thrown;
    return false;
  } finally {
    database?.close();
  }
}

function inspectLog(path: string): {
  readonly isEmpty: boolean;
  readonly damage: readonly string[];
} {
  const wal = inspectWal(path);
  if (wal === undefined) return { isEmpty: true, damage: [] };
  if (wal === "unreadable") return { isEmpty: true, damage: ["the log cannot be read"] };
  const lost = wal.committed - wal.sound;
  return {
    isEmpty: wal.committed === 0,
    damage:
      lost === 0 ? [] : [`the log is damaged: ${lost} of ${wal.committed} pages in it are lost`],
  };
}

function openCopy(path: string, workDir: string, pages?: Pages): DatabaseSync {
  const copy = join(workDir, `${randomUUID()}.db`);
  copyFileSync(path, copy, constants.COPYFILE_FICLONE);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  if (pages) overwritePages(copy, pages);
  return new DatabaseSync(copy);
}
