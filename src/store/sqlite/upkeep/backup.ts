// The whole knowledge base as one file: a snapshot of the database with the original files inside it.
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, renameSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CHECKS_FILE } from "../../../domain/checks-file.ts";
import { KnowledgeError } from "../../../domain/errors.ts";
import { neededHashes } from "../../documents/unreferenced.ts";
import type { BackupReport, BackupWatch } from "../../store.ts";
import { DATABASE_FILE } from "../connect.ts";
import { openDatabase } from "../database.ts";
import { openReadingEngine } from "../engine.ts";
import { toStoreError } from "../failures.ts";
import { removeQuietly, renameToFree, syncPath } from "../folder/files.ts";
import { readWithoutLog } from "../folder/inspect-database.ts";
import { addBackupTables, seal, sha256 } from "./backup-file.ts";
import {
  type BackupTarget,
  chooseTarget,
  refuseChanged,
  type TargetRequest,
} from "./backup-target.ts";
import { countsOf, isAsWritten } from "./integrity.ts";

/** Servers keep working meanwhile: the snapshot is one consistent state, taken in one read transaction. */
export async function backupTo(request: TargetRequest, watch: BackupWatch): Promise<BackupReport> {
  const { dataDir } = request;
  const target = chooseTarget(request);
  if (!existsSync(join(dataDir, DATABASE_FILE))) {
    throw new KnowledgeError(
      "STORE_UNAVAILABLE",
      "There is no knowledge base in the data folder yet.",
    );
  }
  // A unique name, so no other file next to the target is touched.
  const part = `${target.path}.${randomUUID()}.part`;
  try {
    // Created before SQLite opens it, which would let other users read it.
    closeSync(openSync(part, "wx", 0o600));
    snapshot(dataDir, part);
    const report = await addFiles(part, dataDir, watch);
    checkWritten(part, report);
    await seal(part);
    syncPath(part);
    putInPlace(part, target);
    return { ...report, sizeBytes: statSync(target.path).size };
  } catch (thrown) {
    throw toBackupError(thrown);
  } finally {
    removeQuietly(part);
  }
}

function snapshot(dataDir: string, path: string): void {
  const database = openDatabase(dataDir);
  try {
    database.run("VACUUM INTO ?", path);
  } finally {
    database.close();
  }
}

async function addFiles(path: string, dataDir: string, { signal, onProgress }: BackupWatch) {
  const folder = join(dataDir, "originals");
  const copy = new DatabaseSync(path);
  try {
    const checks = await readFile(join(dataDir, CHECKS_FILE), "utf8").catch(nothingIfMissing);
    addBackupTables(copy, checks);
    const hashes = await openReadingEngine(copy).read(neededHashes);
    const insert = copy.prepare("INSERT INTO backup_originals VALUES (?, ?)");
    let originals = 0;
    for (const [at, hash] of hashes.entries()) {
      signal.throwIfAborted();
      onProgress({ done: at, total: hashes.length });
      // One that cannot be read is counted and reported as missing; the rest is still worth a backup.
      const bytes = await readFile(join(folder, hash.slice(0, 2), hash)).catch(() => undefined);
      if (!bytes || sha256(bytes) !== hash) continue;
      insert.run(hash, bytes);
      originals += 1;
    }
    onProgress({ done: hashes.length, total: hashes.length });
    return { ...countsOf(copy), originals, withoutOriginal: hashes.length - originals };
  } finally {
    copy.close();
  }
}

function nothingIfMissing(thrown: NodeJS.ErrnoException): string {
  if (thrown.code === "ENOENT") return "";
  throw thrown;
}

/** Runs before it replaces an older backup. */
function checkWritten(path: string, report: Omit<BackupReport, "sizeBytes">): void {
  const isSame = readWithoutLog(path, (copy) => {
    const files = copy.prepare("SELECT count(*) AS n FROM backup_originals").get()?.["n"];
    return files === report.originals && isAsWritten(copy, report);
  });
  if (isSame) return;
  throw new KnowledgeError(
    "STORE_CORRUPT",
    "The backup could not be read back as it was written, so no older one was replaced. Check the disk, or run `knowledge-server repair` first.",
  );
}

function putInPlace(part: string, target: BackupTarget): void {
  if (target.replaced) {
    refuseChanged(target);
    renameSync(part, target.path);
  } else {
    renameToFree(part, target.path);
  }
  syncPath(dirname(target.path));
}

/** The full or read-only disk may be the backup's, not the data folder's. */
function toBackupError(thrown: unknown): unknown {
  const system = (thrown as { code?: unknown } | null)?.code;
  const error = toStoreError(thrown);
  if (error instanceof KnowledgeError && error.code === "STORE_FULL") {
    const message =
      "The disk that holds the backup is full; an older backup is unchanged. Free some space, or name a file on another disk.";
    return new KnowledgeError("STORE_FULL", message, { cause: thrown });
  }
  if (system === "EACCES" || system === "EPERM" || system === "EROFS") {
    const message = "The backup cannot be written there. Name a file in a folder you may write to.";
    return new KnowledgeError("ACCESS_DENIED", message, { cause: thrown });
  }
  if (system === "EEXIST") {
    const message =
      "Another file appeared there in the meantime, so nothing was replaced. Try again.";
    return new KnowledgeError("STORE_NOT_EMPTY", message, { cause: thrown });
  }
  return error;
}
