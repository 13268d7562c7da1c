// Opens and checks a backup file. Checking a file that is not a backup leaves nothing next to it.
import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { KnowledgeError } from "../../../domain/errors.ts";
import { SQLITE_MIGRATIONS } from "../../schema.ts";
import { openWithoutLog } from "../folder/peek.ts";
import { sha256 } from "./backup.ts";
import { integrityOf } from "./integrity.ts";
import { checkSeal } from "./seal.ts";
import { BACKUP_FORMAT } from "./target.ts";

const DAMAGED = "This backup is damaged. Use another one.";

/** Everything in it is checked before it is returned. */
export async function openBackup(file: string, signal: AbortSignal): Promise<DatabaseSync> {
  if (!existsSync(file))
    throw new KnowledgeError("FILE_NOT_FOUND", "There is no such backup file.");
  let backup: DatabaseSync | undefined;
  try {
    backup = openWithoutLog(file);
    checkFormat(backup, await checkSeal(file));
    if (integrityOf(backup).length > 0) throw unusable(DAMAGED);
    for (const _ of originalsIn(backup)) signal.throwIfAborted();
    return backup;
  } catch (thrown) {
    backup?.close();
    if (thrown instanceof KnowledgeError || signal.aborted) throw thrown;
    throw unusable("This file is not a backup of a knowledge base, or it is damaged.", thrown);
  }
}

interface Original {
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly total: number;
}

/** One at a time, because together they may be larger than memory. Throws at the first whose bytes are not its own. */
export function* originalsIn(backup: DatabaseSync): Generator<Original> {
  const hashes = backup.prepare("SELECT hash FROM backup_originals").all();
  const read = backup.prepare("SELECT bytes FROM backup_originals WHERE hash = ?");
  for (const [at, row] of hashes.entries()) {
    const hash = String(row["hash"]);
    const bytes = read.get(hash)?.["bytes"] as Uint8Array;
    if (sha256(bytes) !== hash) throw unusable(DAMAGED);
    yield { hash, bytes, at, total: hashes.length };
  }
}

function checkFormat(backup: DatabaseSync, sealedBytes: number | undefined): void {
  const format = backup.prepare("SELECT value FROM backup_info WHERE key = 'format'").get()?.[
    "value"
  ];
  if (format !== BACKUP_FORMAT) throw unusable("This file is not a backup of a knowledge base.");
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
