// Recognises the server's own files (settings, tokens, audit log, database) also under other names and links.
import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ignoreMissing } from "../../files/regular-file.ts";

// Not searched, because their contents are documents anyway, and there may be a million of them.
const ORIGINALS = "originals";

/**
 * Whether an open file is, by device and inode, one of these files or lies in one of these folders. Rejects with the
 * system's error if that is unknown: the caller must then refuse the file.
 */
export async function isOwnFile(opened: Stats, own: readonly string[]): Promise<boolean> {
  for (const path of own) {
    const found = await stat(path).catch(ignoreMissing);
    if (found === undefined) continue;
    if (isSame(opened, found)) return true;
    if (found.isDirectory() && (await holds(path, opened, 2))) return true;
  }
  return false;
}

async function holds(folder: string, opened: Stats, depth: number): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ignoreMissing);
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth > 1 && entry.name !== ORIGINALS && (await holds(path, opened, depth - 1)))
        return true;
    } else if (entry.isFile()) {
      const found = await stat(path).catch(ignoreMissing);
      if (found !== undefined && isSame(opened, found)) return true;
    }
  }
  return false;
}

function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
