// Files that the program removed on its own are kept for a month, so that a wrong decision, or a database
// that was only lost for a while, costs nothing. Each is named by its sha256, next to a note with the reason.
import { rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  codeOf,
  hashOf,
  makeFolderIn,
  moveFile,
  namesIn,
  readJson,
  writeJson,
} from "./durable-files.ts";

export type TrashReason =
  /** Nothing in the database refers to it. */
  | "unreferenced"
  /** It could not be extracted, so it has no document. */
  | "failed"
  /** The file is gone from the watched folder that it was added from. */
  | "left-folder"
  /** The item is gone from the source that it was added from. */
  | "left-source"
  /** A process died while storing or removing the file. */
  | "abandoned";

export interface TrashNote {
  readonly why: TrashReason;
  readonly filename?: string;
  readonly sourcePath?: string;
}

interface TrashItem extends TrashNote {
  readonly hash: string;
  readonly trashedAt: string;
  readonly path: string;
  readonly days?: readonly string[];
}

export interface Trash {
  /** Moves a file in; returns the sha256 of its content. */
  take(path: string, note: TrashNote): Promise<string>;
  list(): Promise<readonly TrashItem[]>;
  /** Moves the file back to `path`. False if it is not in the trash. */
  bringBack(hash: string, path: string): Promise<boolean>;
  /** Deletes files that have been here for 30 days on which a server ran. */
  purge(today?: Date): Promise<number>;
}

const HASH = /^[0-9a-f]{64}$/;
/**
 * A file's own days: those on which a purge saw it. Dates are never compared, so a clock that jumps ahead or was wrong when
 * the file came in counts as one day, and a folder that was unused for months deletes nothing.
 */
export const KEPT_DAYS = 30;

export function openTrash(folder: string): Trash {
  const { fileOf, noteOf } = pathsIn(folder);
  return {
    list: () => listItems(folder),
    async take(path, { why, filename, sourcePath }) {
      const hash = await hashOf(path);
      await makeFolderIn(folder);
      const trashedAt = new Date().toISOString();
      await writeJson(noteOf(hash), { hash, trashedAt, why, filename, sourcePath });
      await moveFile(path, fileOf(hash));
      return hash;
    },
    async bringBack(hash, path) {
      try {
        await makeFolderIn(dirname(path));
        await moveFile(fileOf(hash), path);
      } catch (thrown) {
        if (codeOf(thrown) === "ENOENT") return false;
        throw thrown;
      }
      await rm(noteOf(hash), { force: true });
      return true;
    },
    purge: (today = new Date()) => purge(folder, toDay(today)),
  };
}

function pathsIn(folder: string) {
  return {
    fileOf: (hash: string) => join(folder, hash),
    noteOf: (hash: string) => join(folder, `${hash}.json`),
  };
}

async function listItems(folder: string): Promise<readonly TrashItem[]> {
  const { fileOf, noteOf } = pathsIn(folder);
  const hashes = (await namesIn(folder)).filter((name) => HASH.test(name));
  return Promise.all(
    hashes.map(async (hash) => ({
      why: "unreferenced" as const,
      trashedAt: (await stat(fileOf(hash)).catch(() => undefined))?.ctime.toISOString() ?? "",
      ...(await readJson<TrashItem>(noteOf(hash))),
      hash,
      path: fileOf(hash),
    })),
  );
}

async function purge(folder: string, today: string): Promise<number> {
  const { fileOf, noteOf } = pathsIn(folder);
  let purged = 0;
  for (const { path: _, ...item } of await listItems(folder)) {
    const known = Array.isArray(item.days) ? item.days : [];
    const days = new Set(known).add(today);
    if (days.size >= KEPT_DAYS) {
      await rm(fileOf(item.hash), { force: true });
      await rm(noteOf(item.hash), { force: true });
      purged += 1;
    } else if (days.size > known.length) {
      await writeJson(noteOf(item.hash), { ...item, days: [...days] });
    }
  }
  return purged;
}

function toDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
