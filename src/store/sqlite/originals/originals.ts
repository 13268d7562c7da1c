// The bytes of added files, named by hash: originals/ab/abcd…
import { randomUUID } from "node:crypto";
import { access, copyFile, link, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KnowledgeError } from "../../../domain/errors.ts";
import { codeOf, hashOf, makeFolderIn, syncFolder, syncPath } from "../../core/durable-files.ts";
import type { Trash, TrashNote } from "../../core/trash.ts";
import type { OriginalStore } from "../../store.ts";
import { toStoreError } from "../failures.ts";

const HASH = /^[0-9a-f]{64}$/;

export interface OriginalsParts {
  readonly folder: string;
  readonly trash: Trash;
  /** Those of the hashes that no document or open task refers to. */
  readonly unreferenced: (hashes: readonly string[]) => Promise<readonly string[]>;
  /** Whether the folder belongs to the open database. If not, nothing in it is removed. */
  readonly isOurs: () => Promise<boolean>;
  /** Opens the database, which makes the folder of a new knowledge base. */
  readonly ready: () => Promise<unknown>;
}

export interface Originals extends Omit<OriginalStore, "sweep" | "survey"> {
  /** Moves an original to the trash if there is a note, otherwise deletes it; not if it was kept again after `sinceMs`. */
  drop(contentHash: string, sinceMs: number, note?: TrashNote): Promise<boolean>;
  /** Restores it from the trash if it is missing here. */
  bringBack(contentHash: string): Promise<boolean>;
}

export function openOriginals(parts: OriginalsParts): Originals {
  const { folder, trash, unreferenced, ready } = parts;
  const pathOf = (hash: string) => pathIn(folder, hash);
  const drop: Originals["drop"] = (hash, sinceMs, note) => dropOne(parts, hash, { sinceMs, note });
  const bringBack = async (hash: string) =>
    !(await exists(pathOf(hash))) && (await trash.bringBack(hash, pathOf(hash)));
  return {
    drop,
    bringBack,
    async keep(hash, fromPath) {
      const path = pathOf(hash);
      await ready();
      // The new time shows a remover in another process that the file is about to be needed.
      if (await touched(path)) return;
      try {
        await accept(fromPath, path);
      } catch (thrown) {
        throw codeOf(thrown) === "ENOENT" ? folderMissing(thrown) : toStoreError(thrown);
      }
    },
    async open(hash) {
      const path = pathOf(hash);
      const isThere =
        (await exists(path)) || (await bringBack(hash)) || (await bringBackAside(path, hash));
      if (!isThere) throw originalMissing();
      return { path, release: async () => {} };
    },
    has: (hash) => exists(pathOf(hash)),
    async discard(hash, createdAt, note) {
      const [orphan] = await unreferenced([hash]);
      const isGone = orphan !== undefined && (await drop(orphan, Date.parse(createdAt), note));
      return isGone ? "discarded" : "kept";
    },
  };
}

function pathIn(folder: string, hash: string): string {
  if (!HASH.test(hash)) throw new KnowledgeError("INTERNAL", "A content hash is not a sha256.");
  return join(folder, hash.slice(0, 2), hash);
}

async function dropOne(
  { folder, trash, unreferenced, isOurs }: OriginalsParts,
  hash: string,
  { sinceMs, note }: { readonly sinceMs: number; readonly note: TrashNote | undefined },
): Promise<boolean> {
  const path = pathIn(folder, hash);
  if (!(await isOurs())) return false;
  return dropFile(path, {
    isNeeded: async (keptMs) => keptMs > sinceMs || (await unreferenced([hash])).length === 0,
    disposeOf: (aside) => (note ? trash.take(aside, note) : rm(aside)),
  });
}

function originalMissing(): KnowledgeError {
  return new KnowledgeError(
    "FILE_NOT_FOUND",
    "This document's original is no longer in the data folder. Add the file again.",
  );
}

async function accept(fromPath: string, path: string): Promise<void> {
  await makeFolderIn(dirname(path));
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await rename(fromPath, temporary).catch(async (thrown: { code?: unknown }) => {
      if (thrown.code !== "EXDEV") throw thrown;
      await copyFile(fromPath, temporary);
    });
    await syncPath(temporary, "r+");
    const now = new Date();
    await utimes(temporary, now, now);
    await rename(temporary, path);
    await syncFolder(dirname(path));
    await syncFolder(dirname(dirname(path)));
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * A remover in another process renames the file before it checks whether it is needed, and may be paused or
 * killed in between. The renamed file is recognised by its content, because unfinished copies have similar names.
 */
async function bringBackAside(path: string, hash: string): Promise<boolean> {
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(`${hash}.`)) continue;
    const aside = join(dirname(path), name);
    if ((await hashOf(aside).catch(() => undefined)) !== hash) continue;
    await link(aside, path).catch(() => {});
    if (await exists(path)) return true;
  }
  return exists(path);
}

interface Drop {
  readonly isNeeded: (keptMs: number) => Promise<boolean>;
  readonly disposeOf: (aside: string) => Promise<unknown>;
}

async function dropFile(path: string, { isNeeded, disposeOf }: Drop): Promise<boolean> {
  const aside = `${path}.${randomUUID()}.part`;
  try {
    // A file that is needed is not renamed, because a reader would not find it meanwhile.
    if (await isNeeded((await stat(path)).mtimeMs)) return false;
    // Rename first: a keep() from now on finds nothing and copies again. An earlier keep() has renewed the file's
    // time or led to a task by now, and then the file is moved back.
    await rename(path, aside);
    try {
      if (!(await isNeeded((await stat(aside)).mtimeMs))) {
        await disposeOf(aside);
        return true;
      }
    } catch (thrown) {
      // The first failure is the one to report; a file that stays aside is found by its content.
      await rename(aside, path).catch(() => {});
      throw thrown;
    }
    await rename(aside, path);
    return false;
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return false;
    throw toStoreError(thrown);
  }
}

function folderMissing(cause: unknown): KnowledgeError {
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    "The folder of original files is missing from the data folder, so nothing can be added. Put it back; if it is lost, create an empty folder named originals in its place.",
    { cause },
  );
}

async function touched(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return false;
    if (await exists(path)) return true;
    throw toStoreError(thrown);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
