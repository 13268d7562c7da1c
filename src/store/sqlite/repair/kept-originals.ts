// The originals that are still in a data folder, for a repair. Includes the trash, from which files are restored if a
// document or task needs them.
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { hashOf, namesIn, syncFolder } from "../../core/durable-files.ts";
import { openTrash } from "../../core/trash.ts";

export interface KeptOriginals {
  /** Files that may belong to lost documents; excludes those that are in the trash for another reason. */
  readonly hashes: ReadonlySet<string>;
  /** Its name according to the note in the trash. */
  nameOf(contentHash: string): string | undefined;
  /** Whether it is in the folder, after it was brought back from the trash if it was there. */
  restore(contentHash: string): Promise<boolean>;
  /** Its size, or undefined if its content no longer matches its name. */
  sizeOfSound(contentHash: string): Promise<number | undefined>;
}

const HASH = /^[0-9a-f]{64}$/;

export async function openKeptOriginals(dataDir: string): Promise<KeptOriginals> {
  const folder = join(dataDir, "originals");
  const trash = openTrash(join(dataDir, "trash"));
  const trashed = new Map((await trash.list()).map((item) => [item.hash, item]));
  const kept = new Set<string>();
  for (const shelf of await namesIn(folder)) {
    const names = await namesIn(join(folder, shelf));
    for (const name of names) if (HASH.test(name)) kept.add(name);
  }
  const lost = [...trashed.values()].filter(({ why }) => why === "unreferenced");
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash);
  const restore = async (hash: string) => {
    if (kept.has(hash) || !trashed.has(hash)) return kept.has(hash);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (await trash.bringBack(hash, pathOf(hash))) kept.add(hash);
    await syncFolder(folder);
    return kept.has(hash);
  };
  return {
    hashes: new Set([...kept, ...lost.map(({ hash }) => hash)]),
    nameOf: (hash) => trashed.get(hash)?.filename,
    restore,
    async sizeOfSound(hash) {
      const isSound = (await restore(hash)) && (await hashOf(pathOf(hash))) === hash;
      return isSound ? (await stat(pathOf(hash))).size : undefined;
    },
  };
}
