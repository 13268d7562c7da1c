// The originals that are still in a data folder, for a repair. Includes the trash, from which files are restored if a
// document or task needs them.
import { createHash } from "node:crypto";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { TrashItem } from "../../core/trash.ts";
import { syncPath } from "../folder/swap.ts";

export interface KeptOriginals {
  /** Files that may belong to lost documents; excludes those that are in the trash for another reason. */
  readonly hashes: ReadonlySet<string>;
  /** Its name according to the note in the trash. */
  nameOf(contentHash: string): string | undefined;
  /** Restores it from the trash. */
  has(contentHash: string): boolean;
  /** Its size, or undefined if its content no longer matches its name. */
  sizeOfSound(contentHash: string): number | undefined;
}

const HASH = /^[0-9a-f]{64}$/;
const PART_BYTES = 1024 * 1024;

export function openKeptOriginals(dataDir: string): KeptOriginals {
  const folder = join(dataDir, "originals");
  const trash = join(dataDir, "trash");
  const shelves = listNames(folder).flatMap((shelf) => listNames(join(folder, shelf)));
  const kept = new Set(shelves.filter((name) => HASH.test(name)));
  const trashed = new Set(listNames(trash).filter((name) => HASH.test(name)));
  const notes = new Map([...trashed].map((hash) => [hash, readNote(join(trash, `${hash}.json`))]));
  const lost = [...trashed].filter((hash) => notes.get(hash)?.why === "unreferenced");
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash);
  const has = (hash: string) => {
    if (kept.has(hash) || !trashed.has(hash)) return kept.has(hash);
    bringBack(join(trash, hash), pathOf(hash));
    kept.add(hash);
    return true;
  };
  return {
    hashes: new Set([...kept, ...lost]),
    nameOf: (hash) => notes.get(hash)?.filename,
    has,
    sizeOfSound: (hash) => {
      if (!has(hash) || hashFile(pathOf(hash)) !== hash) return undefined;
      return statSync(pathOf(hash)).size;
    },
  };
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    const { code } = thrown as { readonly code?: unknown };
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw thrown;
  }
}

function readNote(path: string): Partial<TrashItem> {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Partial<TrashItem>;
  } catch {
    return { why: "unreferenced" };
  }
}

function bringBack(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
  for (const folder of [dirname(to), dirname(dirname(to))]) syncPath(folder);
  rmSync(`${from}.json`, { force: true });
}

/** In parts, because an original may be larger than memory. */
function hashFile(path: string): string {
  const hash = createHash("sha256");
  const part = Buffer.alloc(PART_BYTES);
  const descriptor = openSync(path, "r");
  try {
    for (;;) {
      const length = readSync(descriptor, part, 0, PART_BYTES, null);
      if (length === 0) return hash.digest("hex");
      hash.update(part.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
}
