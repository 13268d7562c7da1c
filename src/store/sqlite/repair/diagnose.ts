// Checks whether a database is damaged, without changing a byte of it and without false alarms, and opens what is left.
import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TaskRow } from "../../core/rows.ts";
import { SQLITE_MIGRATIONS } from "../../schema.ts";
import type { Loss } from "../../store.ts";
import { DATABASE_FILE } from "../connect.ts";
import { isDamage, isMachineFault } from "../failures.ts";
import { inspectWal, openWithoutLog } from "../folder/inspect-database.ts";
import { markSchema } from "../migrate.ts";
import { integrityOf } from "../upkeep/integrity.ts";
import { isSoundTask } from "./copy-rows.ts";
import { openContents, salvageDocuments } from "./salvage.ts";
import { scanTable } from "./scan.ts";

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
export async function diagnose(dataDir: string, workDir: string): Promise<Diagnosis> {
  const path = join(dataDir, DATABASE_FILE);
  const log = inspectLog(`${path}-wal`);
  // Opening a file with a log writes the log back, so only a copy may be opened.
  const plain = log.isEmpty ? () => openWithoutLog(path) : () => openCopy(path, workDir);
  const damage = [...log.damage, ...(await check(plain))];
  const patched = () => openPatched(path, workDir);
  const open = damage.length === 0 ? plain : [plain, patched].find(isReadable);
  const losses = log.damage.map((): Loss => LAST_CHANGES);
  return { damage, losses, open: () => open?.() };
}

async function check(open: () => DatabaseSync): Promise<readonly string[]> {
  let database: DatabaseSync | undefined;
  try {
    database = open();
    const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
    // Tables are created together with the first version number.
    if (version === 0) return ["the database is empty"];
    const found = integrityOf(database);
    return found.length > 0 ? found : await checkContent(database);
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    return [thrown instanceof Error ? thrown.message : "the file cannot be read"];
  } finally {
    database?.close();
  }
}

/** Damage that SQLite's own check cannot see: text that cannot be decompressed, or chunks that are not part of it. */
async function checkContent(database: DatabaseSync): Promise<readonly string[]> {
  const documents = salvageDocuments(database);
  const contents = openContents(database);
  let broken = documents.unreadable;
  for (const each of documents.found) {
    // A document that is still to be read has no chunks yet.
    if (each.document.chunkCount > 0 && !(await contents.whole(each))) broken += 1;
  }
  const tasks = scanTable<TaskRow>(database, { table: "tasks", key: "seq" });
  const unreadable = [...tasks.rows.values()].filter((row) => !isSoundTask(row)).length;
  return [
    ...(broken === 0 ? [] : [`${broken} documents are not stored as written`]),
    ...(unreadable === 0 ? [] : [`${unreadable} tasks are not stored as written`]),
  ];
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

function copyTo(path: string, workDir: string): string {
  const copy = join(workDir, `${randomUUID()}.db`);
  copyFileSync(path, copy, constants.COPYFILE_FICLONE);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  return copy;
}

function openCopy(path: string, workDir: string): DatabaseSync {
  return new DatabaseSync(copyTo(path, workDir));
}

/** SQLite's default, which nothing here changes. */
const PAGE_BYTES = 4096;

/**
 * Without the list of tables, which begins on the first page, nothing is readable. That of a fresh database works as
 * well: tables have the same root pages in every database, because they are created first, in a fixed order.
 */
function openPatched(path: string, workDir: string): DatabaseSync {
  const model = readModel(workDir);
  const pageAt = (number: number) => model.subarray((number - 1) * PAGE_BYTES, number * PAGE_BYTES);
  const first = Buffer.from(pageAt(1));
  const copy = copyTo(path, workDir);
  // This file's number of pages, and no free list, which only writers need.
  first.writeUInt32BE(Math.floor(statSync(path).size / PAGE_BYTES), 28);
  first.writeUInt32BE(0, 32);
  first.writeUInt32BE(0, 36);
  first.copy(first, 92, 24, 28);
  const descriptor = openSync(copy, "r+");
  try {
    writeSync(descriptor, first, 0, PAGE_BYTES, 0);
    for (const number of childrenOf(first))
      writeSync(descriptor, pageAt(number), 0, PAGE_BYTES, (number - 1) * PAGE_BYTES);
  } finally {
    closeSync(descriptor);
  }
  return new DatabaseSync(copy);
}

/** The bytes of a fresh database. */
function readModel(workDir: string): Buffer {
  const path = join(workDir, `${randomUUID()}.db`);
  const model = new DatabaseSync(path);
  model.exec("PRAGMA auto_vacuum = INCREMENTAL");
  for (const sql of SQLITE_MIGRATIONS) model.exec(sql);
  markSchema(model);
  model.close();
  return readFileSync(path);
}

const INNER_PAGE = 5;
const TREE_AT = 100;

/** The pages below the first, which is the root of the list of tables; that tree is never more than two levels deep. */
function childrenOf(first: Buffer): readonly number[] {
  if (first[TREE_AT] !== INNER_PAGE) return [];
  const cells = first.readUInt16BE(TREE_AT + 3);
  const inner = Array.from({ length: cells }, (_, at) =>
    first.readUInt32BE(first.readUInt16BE(TREE_AT + 12 + 2 * at)),
  );
  return [...inner, first.readUInt32BE(TREE_AT + 8)];
}
