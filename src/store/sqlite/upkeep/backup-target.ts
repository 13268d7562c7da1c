// Where a backup may be written: never into the data folder, and over an existing file only if it is a backup itself.

import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { KnowledgeError } from "../../../domain/errors.ts";
import { toMessage } from "../../../domain/phrases/messages.ts";
import { isBackup } from "./backup-file.ts";

export interface BackupTarget {
  /** With every link resolved. */
  readonly path: string;
  /** The file that will be replaced, as it was when it was checked. */
  readonly replaced?: BigIntStats;
}

export interface TargetRequest {
  readonly dataDir: string;
  readonly file: string;
  readonly force: boolean;
}

export function chooseTarget({ dataDir, file, force }: TargetRequest): BackupTarget {
  const folder = realFolder(dirname(file));
  const isLink = statIfPresent(file, lstatSync)?.isSymbolicLink() === true;
  const found = statIfPresent(file, statSync);
  if (isLink && !found) throw refused("The link points to a missing file; choose another.");
  const path = found ? realpathSync(file) : join(folder, basename(file));
  // Compared by device and inode, so that no spelling of a path can hide the folder.
  if (isInside(dirname(path), dataDir) || isInside(folder, dataDir)) throw inDataFolder();
  if (!found) return { path };
  if (found.isDirectory()) throw refused("This is a folder; specify a file in it.");
  if (!found.isFile()) throw refused("This is not a regular file; choose another.");
  if (isPartOf(dataDir, found)) throw inDataFolder();
  if (!force && !isBackup(path)) {
    throw new KnowledgeError(
      "STORE_NOT_EMPTY",
      "A file that is not a backup is already there. Choose another name, or replace it with --force.",
    );
  }
  return { path, replaced: found };
}

/** Verifies that the file to be replaced is still the one that was checked. */
export function refuseChanged({ path, replaced }: BackupTarget): void {
  const now = statIfPresent(path, statSync);
  const isSame =
    now?.dev === replaced?.dev &&
    now?.ino === replaced?.ino &&
    now?.mtimeNs === replaced?.mtimeNs &&
    now?.size === replaced?.size;
  if (isSame) return;
  throw refused(
    "Another program wrote to this file in the meantime, so nothing was replaced. Try again.",
  );
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new KnowledgeError("FILE_NOT_FOUND", toMessage("backupFolderMissing"));
  }
}

type Stat = (path: string, options: { readonly bigint: true }) => BigIntStats;

function statIfPresent(path: string, stat: Stat): BigIntStats | undefined {
  try {
    return stat(path, { bigint: true });
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === "ENOENT") return undefined;
    throw refused("This location cannot be read; choose another file.");
  }
}

function isInside(path: string, dataDir: string): boolean {
  const data = statIfPresent(dataDir, statSync);
  for (let at = path; data; at = dirname(at)) {
    const here = statIfPresent(at, statSync);
    if (here?.dev === data.dev && here.ino === data.ino) return true;
    if (dirname(at) === at) return false;
  }
  return false;
}

/** A hard link to the database may have a path outside the folder. */
function isPartOf(dataDir: string, file: BigIntStats): boolean {
  return readdirSync(dataDir).some((name) => {
    const own = statIfPresent(join(dataDir, name), statSync);
    return own?.dev === file.dev && own.ino === file.ino;
  });
}

function inDataFolder(): KnowledgeError {
  return refused(
    "A backup inside the data folder would be lost with it. Name a file elsewhere, best on another disk.",
  );
}

function refused(message: string): KnowledgeError {
  return new KnowledgeError("INVALID_PARAMETER", message);
}
