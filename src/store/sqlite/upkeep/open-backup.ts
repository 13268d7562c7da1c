// Opens and checks a backup file. Checking a file that is not a backup leaves nothing next to it.
import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { KnowledgeError } from "../../../domain/errors.ts";
import { integrityOf } from "../check/check.ts";
import { openWithoutLog } from "../folder/peek.ts";
import { MIGRATIONS } from "../schema.ts";
import { BACKUP_FORMAT } from "./target.ts";

export function openBackup(file: string): DatabaseSync {
  const unusable = (message: string, cause?: unknown) =>
    new KnowledgeError("CORRUPT_FILE", message, { cause });
  if (!existsSync(file))
    throw new KnowledgeError("FILE_NOT_FOUND", "There is no such backup file.");
  let backup: DatabaseSync | undefined;
  try {
    backup = openWithoutLog(file);
    const format = backup.prepare("SELECT value FROM backup_info WHERE key = 'format'").get()?.[
      "value"
    ];
    if (format !== BACKUP_FORMAT) throw unusable("This file is not a backup of a knowledge base.");
    const version = Number(backup.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (version > MIGRATIONS.length) {
      throw new KnowledgeError(
        "STORE_TOO_NEW",
        "This backup was made by a newer version of the server. Update this one.",
      );
    }
    if (integrityOf(backup).length > 0) throw unusable("This backup is damaged. Use another one.");
    return backup;
  } catch (thrown) {
    backup?.close();
    throw thrown instanceof KnowledgeError
      ? thrown
      : unusable("This file is not a backup of a knowledge base, or it is damaged.", thrown);
  }
}
