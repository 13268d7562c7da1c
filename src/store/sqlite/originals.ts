// The added files' bytes, named by their hash: originals/ab/abcd…
import { randomUUID } from "node:crypto";
import { access, copyFile, mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KnowledgeError } from "../../domain/errors.ts";
import type { OriginalStore } from "../store.ts";
import { toStoreError } from "./failures.ts";

const HASH = /^[0-9a-f]{64}$/;
/** A task is enqueued well within this time after its original is kept. */
const GRACE_MS = 60 * 60 * 1000;
/** A copy that no living process is still writing. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

export interface Originals extends OriginalStore {
  /** Drops an original, unless it was kept again after `since`. */
  drop(contentHash: string, sinceMs: number): Promise<boolean>;
}

export function openOriginals(
  folder: string,
  unreferenced: (hashes: readonly string[]) => Promise<readonly string[]>,
): Originals {
  const pathOf = (hash: string) => {
    if (!HASH.test(hash)) throw new KnowledgeError("INTERNAL", "A content hash is not a sha256.");
    return join(folder, hash.slice(0, 2), hash);
  };
  const drop = (hash: string, sinceMs: number) => dropFile(pathOf(hash), sinceMs);
  return {
    drop,
    async keep(hash, fromPath) {
      const path = pathOf(hash);
      // Touching it tells a remover in another process that somebody is about to need it.
      if (await touched(path)) return;
      try {
        await takeIn(fromPath, path);
      } catch (thrown) {
        throw toStoreError(thrown);
      }
    },
    async open(hash) {
      const path = pathOf(hash);
      if (!(await exists(path))) {
        throw new KnowledgeError(
          "FILE_NOT_FOUND",
          "The original of this document is no longer in the data folder; add the file again.",
        );
      }
      return { path, release: async () => {} };
    },
    has: (hash) => exists(pathOf(hash)),
    async discard(hash, createdAt) {
      const [orphan] = await unreferenced([hash]);
      return orphan !== undefined && drop(orphan, Date.parse(createdAt));
    },
    async sweep() {
      const before = Date.now() - GRACE_MS;
      const hashes = await oldFiles(folder, before);
      let dropped = 0;
      for (const hash of await unreferenced(hashes)) {
        if (await drop(hash, before)) dropped++;
      }
      return dropped;
    },
  };
}

async function takeIn(fromPath: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
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

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and makes renames durable by itself.
  if (process.platform !== "win32") await syncPath(path, "r");
}

async function syncPath(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function dropFile(path: string, sinceMs: number): Promise<boolean> {
  const aside = `${path}.${randomUUID()}.part`;
  try {
    // Renamed first: a keep() that comes now finds nothing and copies again; one that came before has
    // left its time on the file, and the file goes back.
    await rename(path, aside);
    if ((await stat(aside)).mtimeMs > sinceMs) {
      await rename(aside, path);
      return false;
    }
    await rm(aside);
    return true;
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw toStoreError(thrown);
  }
}

async function oldFiles(folder: string, before: number): Promise<string[]> {
  const hashes: string[] = [];
  for (const shelf of await namesIn(folder)) {
    for (const name of await namesIn(join(folder, shelf))) {
      const path = join(folder, shelf, name);
      if (HASH.test(name)) {
        if ((await modified(path)) <= before) hashes.push(name);
      } else if ((await modified(path)) < Date.now() - ABANDONED_MS) {
        await rm(path, { force: true });
      }
    }
  }
  return hashes;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (isMissing(thrown) || (thrown as { code?: unknown }).code === "ENOTDIR") return [];
    throw thrown;
  }
}

async function modified(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

async function touched(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch (thrown) {
    if (isMissing(thrown)) return false;
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

function isMissing(thrown: unknown): boolean {
  return (thrown as { code?: unknown } | null)?.code === "ENOENT";
}
