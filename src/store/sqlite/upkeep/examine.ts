// The data folder's state for `doctor`, checked before anything opens it for use.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf, toKnowledgeError } from "../../../domain/errors.ts";
import { toMessage } from "../../../domain/phrases/messages.ts";
import type { FolderFinding } from "../../store.ts";
import { DATABASE_FILE } from "../connect.ts";
import { openDatabase } from "../database.ts";
import { toStoreError } from "../failures.ts";
import { describeHolder, liveHolders } from "../folder/holders.ts";
import { inspectWal } from "../folder/inspect-database.ts";
import { openKeptOriginals } from "../repair/kept-originals.ts";

export async function examineFolder(dataDir: string): Promise<FolderFinding> {
  const others = liveHolders(dataDir).filter(({ pid }) => pid !== process.pid);
  const path = join(dataDir, DATABASE_FILE);
  if (!existsSync(path)) return findMissing(dataDir);
  // While another process writes, the end of the log keeps changing.
  const wal = others.length === 0 ? inspectWal(`${path}-wal`) : undefined;
  if (wal === "unreadable" || (wal && wal.sound < wal.committed)) {
    return { kind: "damaged", detail: toMessage("folderLog") };
  }
  try {
    const damage = quickCheck(dataDir);
    if (damage !== undefined) return { kind: "damaged", detail: toMessage("stated", damage) };
  } catch (thrown) {
    const failure = toKnowledgeError(toStoreError(thrown));
    const { code } = failure;
    const detail = messageOf(failure);
    return code === "STORE_CORRUPT"
      ? { kind: "damaged", detail }
      : { kind: "unusable", code, detail };
  }
  const users = others.map(describeHolder).join(", ");
  const detail = users === "" ? toMessage("folderSound") : toMessage("folderSoundUsed", users);
  return { kind: "sound", detail };
}

/** If the documents are lost, the folder of originals is all that is left of them. */
async function findMissing(dataDir: string): Promise<FolderFinding> {
  const files = (await openKeptOriginals(dataDir)).hashes.size;
  const isLost = files > 0 || existsSync(join(dataDir, `${DATABASE_FILE}-wal`));
  return isLost
    ? { kind: "lost", detail: toMessage("folderLost", files) }
    : { kind: "none", detail: toMessage("folderNew") };
}

function quickCheck(dataDir: string): string | undefined {
  const database = openDatabase(dataDir);
  try {
    const rows = database.all<{ quick_check: string }>("PRAGMA quick_check(1)");
    return rows.map((row) => row.quick_check).find((line) => line !== "ok");
  } finally {
    database.close();
  }
}
