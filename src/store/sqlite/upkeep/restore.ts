// Restores a backup into a data folder without a knowledge base. The caller has locked the folder.
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CHECKS_FILE } from "../../../domain/checks-file.ts";
import { KnowledgeError } from "../../../domain/errors.ts";
import type { BackupReport, BackupWatch } from "../../store.ts";
import { DATABASE_FILE } from "../connect.ts";
import { toStoreError } from "../failures.ts";
import { removeQuietly, renameToFree, syncPath } from "../folder/files.ts";
import { readWithoutLog } from "../folder/inspect-database.ts";
import { moveAside } from "../folder/replace-database.ts";
import { checksIn, openBackup, originalsIn } from "./backup-file.ts";
import { countsOf, isAsWritten } from "./integrity.ts";

/** Checks everything before anything is written, and the database again before the swap and after it. */
export async function restoreFrom(
  file: string,
  dataDir: string,
  watch: BackupWatch,
): Promise<BackupReport> {
  const target = join(dataDir, DATABASE_FILE);
  refuseOccupied(target);
  const backup = await openBackup(file);
  const part = `${target}.${randomUUID()}.restoring`;
  try {
    const originals = await takeOutOriginals(backup, join(dataDir, "originals"), watch);
    await addChecks(join(dataDir, CHECKS_FILE), checksIn(backup));
    closeSync(openSync(part, "wx", 0o600));
    backup.prepare("VACUUM INTO ?").run(part);
    const report = finish(part);
    watch.signal.throwIfAborted();
    putInPlace(part, dataDir);
    checkInPlace(target, report);
    return { ...report, originals, withoutOriginal: 0, sizeBytes: statSync(file).size };
  } catch (thrown) {
    throw toStoreError(thrown);
  } finally {
    backup.close();
    removeQuietly(part);
  }
}

function refuseOccupied(target: string): void {
  if (!existsSync(target)) return;
  throw new KnowledgeError(
    "STORE_NOT_EMPTY",
    "The data folder already contains a knowledge base. Choose an empty one with --data-dir, or move the old one elsewhere.",
  );
}

/** A log without its database is foreign: SQLite would apply it to the restored one. */
function putInPlace(part: string, dataDir: string): void {
  const target = join(dataDir, DATABASE_FILE);
  refuseOccupied(target);
  if (["-wal", "-shm", "-journal"].some((ending) => existsSync(target + ending))) {
    moveAside(dataDir, `left-over-${new Date().toISOString().replaceAll(":", "-")}`);
  }
  try {
    renameToFree(part, target);
  } catch (thrown) {
    refuseOccupied(target);
    throw thrown;
  }
  syncPath(dataDir);
}

function checkInPlace(target: string, written: ReturnType<typeof countsOf>): void {
  const isSame = readWithoutLog(target, (database) => isAsWritten(database, written));
  if (isSame && !existsSync(`${target}-wal`)) return;
  throw new KnowledgeError(
    "STORE_CORRUPT",
    "The data folder does not match the backup: another program is writing to it. Stop that program and restore into an empty folder.",
  );
}

async function takeOutOriginals(
  backup: DatabaseSync,
  folder: string,
  { signal, onProgress }: BackupWatch,
): Promise<number> {
  let originals = 0;
  for (const { hash, bytes, at, total } of originalsIn(backup)) {
    signal.throwIfAborted();
    onProgress({ done: at, total });
    await keepOriginal(join(folder, hash.slice(0, 2), hash), bytes);
    originals = total;
  }
  // Its subfolders were just created, so the folder itself must be synced as well.
  if (originals > 0) syncPath(folder);
  onProgress({ done: originals, total: originals });
  return originals;
}

/** Lines may follow others. */
async function addChecks(path: string, lines: string): Promise<void> {
  if (lines !== "") await writeFile(path, lines, { flag: "a", mode: 0o600, flush: true });
}

/** Whole or not at all: a file with this name is assumed to be complete. */
async function keepOriginal(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${randomUUID()}.part`;
  await writeFile(part, bytes, { mode: 0o600, flush: true });
  await rename(part, path);
  syncPath(dirname(path));
}

function finish(path: string) {
  const database = new DatabaseSync(path);
  try {
    database.exec("DROP TABLE backup_originals; DROP TABLE backup_info; VACUUM");
    return countsOf(database);
  } finally {
    database.close();
    syncPath(path);
  }
}
