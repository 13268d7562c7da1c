// A backup as a file: a database with the original files in it, and a checksum as its last line.
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { appendFile, open } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { KnowledgeError } from "../../../domain/errors.ts";
import { SQLITE_MIGRATIONS } from "../../schema.ts";
import { openWithoutLog, readWithoutLog } from "../folder/inspect-database.ts";

const FORMAT = "knowledge-server backup 1";

const TABLES = `
CREATE TABLE backup_info (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE backup_originals (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
`;

/** `checks`: the file of questions, "" if there is none. */
export function addBackupTables(copy: DatabaseSync, checks: string): void {
  copy.exec(TABLES);
  const note = copy.prepare("INSERT INTO backup_info VALUES (?, ?)");
  note.run("format", FORMAT);
  note.run("made", new Date().toISOString());
  note.run("checks", checks);
}

/** Backups of earlier versions have none. */
export function checksIn(backup: DatabaseSync): string {
  return String(infoOf(backup, "checks") ?? "");
}

/** Of any version. */
export function isBackup(path: string): boolean {
  try {
    return String(readWithoutLog(path, (backup) => infoOf(backup, "format"))).startsWith(
      "knowledge-server backup ",
    );
  } catch {
    return false;
  }
}

function infoOf(backup: DatabaseSync, key: "format" | "checks"): unknown {
  return backup.prepare("SELECT value FROM backup_info WHERE key = ?").get(key)?.["value"];
}

const DAMAGED = "This backup is damaged. Use another one.";

/** It was checked before it was sealed, so the seal is all to check. A file that is not a backup has nothing left next to it. */
export async function openBackup(file: string): Promise<DatabaseSync> {
  if (!existsSync(file))
    throw new KnowledgeError("FILE_NOT_FOUND", "There is no such backup file.");
  let backup: DatabaseSync | undefined;
  try {
    backup = openWithoutLog(file);
    checkFormat(backup, await checkSeal(file));
    return backup;
  } catch (thrown) {
    backup?.close();
    if (thrown instanceof KnowledgeError) throw thrown;
    throw unusable("This file is not a backup of a knowledge base, or it is damaged.", thrown);
  }
}

interface Original {
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly total: number;
}

/** One at a time, because together they may be larger than memory. */
export function* originalsIn(backup: DatabaseSync): Generator<Original> {
  const hashes = backup.prepare("SELECT hash FROM backup_originals").all();
  const read = backup.prepare("SELECT bytes FROM backup_originals WHERE hash = ?");
  for (const [at, row] of hashes.entries()) {
    const hash = String(row["hash"]);
    const bytes = read.get(hash)?.["bytes"] as Uint8Array;
    yield { hash, bytes, at, total: hashes.length };
  }
}

function checkFormat(backup: DatabaseSync, sealedBytes: number | undefined): void {
  if (infoOf(backup, "format") !== FORMAT)
    throw unusable("This file is not a backup of a knowledge base.");
  const pragma = (name: string) => Number(backup.prepare(`PRAGMA ${name}`).get()?.[name]);
  if (sealedBytes !== pragma("page_count") * pragma("page_size")) throw unusable(DAMAGED);
  if (pragma("user_version") > SQLITE_MIGRATIONS.length) {
    throw new KnowledgeError(
      "STORE_TOO_NEW",
      "This backup was made by a newer version of the server. Update this one.",
    );
  }
}

function unusable(message: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError("CORRUPT_FILE", message, { cause });
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * The last line of a backup, a checksum of everything before it. SQLite's own check does not look at the values of a
 * row, nor at bytes after the last page; those are where the line is.
 */
const SEAL = /^\nknowledge-server backup sha256 ([0-9a-f]{64})\n$/;
const toSeal = (digest: string) => `\nknowledge-server backup sha256 ${digest}\n`;
const SEAL_BYTES = toSeal("0".repeat(64)).length;

export async function seal(path: string): Promise<void> {
  await appendFile(path, toSeal(await hashBefore(path)));
}

/** The length of what the line is about; undefined if there is no line, or it is about something else. */
async function checkSeal(path: string): Promise<number | undefined> {
  const file = await open(path, "r");
  const { size } = await file.stat();
  const dataBytes = Math.max(0, size - SEAL_BYTES);
  const { buffer, bytesRead } = await file
    .read(Buffer.alloc(SEAL_BYTES), 0, SEAL_BYTES, dataBytes)
    .finally(() => file.close());
  const [, digest] = SEAL.exec(buffer.toString("latin1", 0, bytesRead)) ?? [];
  if (digest === undefined || dataBytes === 0) return undefined;
  return digest === (await hashBefore(path, dataBytes - 1)) ? dataBytes : undefined;
}

async function hashBefore(path: string, end = Number.POSITIVE_INFINITY): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { end }), hash);
  return hash.digest("hex");
}
