// The whole knowledge base as one file: a snapshot of the database with the original files inside it.
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { KnowledgeError } from "../../domain/errors.ts";
import type { BackupReport, BackupWatch } from "../store.ts";
import { DATABASE_FILE, openDatabase } from "./database.ts";
import { toStoreError } from "./failures.ts";
import { MIGRATIONS } from "./schema.ts";

const TABLES = `
CREATE TABLE backup_info (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE backup_originals (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
`;
const FORMAT = "knowledge-server backup 1";

/** Servers go on working meanwhile: the snapshot is one state of the database, taken in one read. */
export async function backupTo(
  dataDir: string,
  file: string,
  watch: BackupWatch,
): Promise<BackupReport> {
  if (!existsSync(join(dataDir, DATABASE_FILE))) {
    throw new KnowledgeError(
      "STORE_UNAVAILABLE",
      "There is no knowledge base in the data folder yet.",
    );
  }
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    snapshot(dataDir, part);
    const report = await addOriginals(part, join(dataDir, "originals"), watch);
    sync(part);
    renameSync(part, file);
    sync(dirname(file));
    return { ...report, sizeBytes: statSync(file).size };
  } catch (thrown) {
    throw toStoreError(thrown);
  } finally {
    for (const ending of ["", "-journal", "-wal", "-shm"]) rmSync(part + ending, { force: true });
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

async function addOriginals(path: string, folder: string, { signal, onProgress }: BackupWatch) {
  const copy = new DatabaseSync(path);
  try {
    copy.exec(TABLES);
    const note = copy.prepare("INSERT INTO backup_info VALUES (?, ?)");
    note.run("format", FORMAT);
    note.run("made", new Date().toISOString());
    const hashes = copy
      .prepare(
        "SELECT content_hash AS hash FROM documents UNION SELECT content_hash FROM tasks WHERE status IN ('queued', 'running')",
      )
      .all()
      .map((row) => String(row["hash"]));
    const insert = copy.prepare("INSERT INTO backup_originals VALUES (?, ?)");
    let originals = 0;
    for (const [at, hash] of hashes.entries()) {
      signal.throwIfAborted();
      onProgress({ done: at, total: hashes.length });
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

/** Into a folder that holds no knowledge base. Checked before anything is written, and again before it counts. */
export async function restoreFrom(
  file: string,
  dataDir: string,
  watch: BackupWatch,
): Promise<BackupReport> {
  const target = join(dataDir, DATABASE_FILE);
  if (existsSync(target)) {
    throw new KnowledgeError(
      "STORE_NOT_EMPTY",
      "The data folder already holds a knowledge base. Give an empty one with --data-dir, or move the old one away.",
    );
  }
  const backup = openBackup(file);
  const part = `${target}.restoring`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const originals = await takeOutOriginals(backup, join(dataDir, "originals"), watch);
    rmSync(part, { force: true });
    backup.prepare("VACUUM INTO ?").run(part);
    const report = finish(part);
    renameSync(part, target);
    sync(dataDir);
    return { ...report, originals, withoutOriginal: 0, sizeBytes: statSync(target).size };
  } catch (thrown) {
    throw toStoreError(thrown);
  } finally {
    backup.close();
    rmSync(part, { force: true });
  }
}

function openBackup(file: string): DatabaseSync {
  const unusable = (message: string, cause?: unknown) =>
    new KnowledgeError("CORRUPT_FILE", message, { cause });
  if (!existsSync(file))
    throw new KnowledgeError("FILE_NOT_FOUND", "There is no such backup file.");
  let backup: DatabaseSync | undefined;
  try {
    backup = new DatabaseSync(file, { readOnly: true });
    const format = backup.prepare("SELECT value FROM backup_info WHERE key = 'format'").get()?.[
      "value"
    ];
    if (format !== FORMAT) throw unusable("This file is no backup of a knowledge base.");
    const version = Number(backup.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (version > MIGRATIONS.length) {
      throw new KnowledgeError(
        "STORE_TOO_NEW",
        "This backup was made by a newer version of the server: update this one.",
      );
    }
    const verdict = backup.prepare("PRAGMA integrity_check").get()?.["integrity_check"];
    if (verdict !== "ok") throw unusable("This backup is damaged; use another one.");
    return backup;
  } catch (thrown) {
    backup?.close();
    throw thrown instanceof KnowledgeError
      ? thrown
      : unusable("This file is no backup of a knowledge base, or it is damaged.", thrown);
  }
}

async function takeOutOriginals(
  backup: DatabaseSync,
  folder: string,
  { signal, onProgress }: BackupWatch,
): Promise<number> {
  const hashes = backup
    .prepare("SELECT hash FROM backup_originals")
    .all()
    .map((row) => String(row["hash"]));
  const read = backup.prepare("SELECT bytes FROM backup_originals WHERE hash = ?");
  for (const [at, hash] of hashes.entries()) {
    signal.throwIfAborted();
    onProgress({ done: at, total: hashes.length });
    const bytes = read.get(hash)?.["bytes"] as Uint8Array;
    if (sha256(bytes) !== hash)
      throw new KnowledgeError("CORRUPT_FILE", "This backup is damaged; use another one.");
    const shelf = join(folder, hash.slice(0, 2));
    mkdirSync(shelf, { recursive: true, mode: 0o700 });
    await writeFile(join(shelf, hash), bytes, { mode: 0o600, flush: true });
  }
  onProgress({ done: hashes.length, total: hashes.length });
  return hashes.length;
}

function finish(path: string) {
  const database = new DatabaseSync(path);
  try {
    database.exec("DROP TABLE backup_originals; DROP TABLE backup_info; VACUUM");
    return countsOf(database);
  } finally {
    database.close();
    sync(path);
  }
}

function countsOf(database: DatabaseSync): Pick<BackupReport, "documents" | "chunks" | "scopes"> {
  const count = (table: string) =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  return { documents: count("documents"), chunks: count("chunks"), scopes: count("scopes") };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
