// The only way to open a file that others may have put there. Its name may belong to a pipe, a device or a link by now,
// and its content may grow without end.
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { collect } from "./collect.ts";

/** Why a file is not read. */
export type NotRead = "folder" | "link" | "special" | "too-large";

export type Opened =
  /** The caller closes the handle. Read from it: the path may lead elsewhere by now. */
  | { readonly kind: "open"; readonly handle: FileHandle; readonly stats: Stats }
  | { readonly kind: NotRead };

/** Looks at what is at a path, without following a link there. */
export function lookAt(path: string): Promise<Stats> {
  return lstat(path);
}

/** For what may not be there, or be removed meanwhile. Any other failure goes on. */
export function ignoreMissing(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code !== "ENOENT" && thrown.code !== "ENOTDIR") throw thrown;
}

/** Opens a regular file without waiting. Rejects with the system's error if there is none, or it may not be read. */
export async function openRegular(
  path: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Opened> {
  // Opening some devices has effects, so they are recognised before; the open file is what counts.
  const before = kindOf(await lstat(path), maxBytes);
  if (before !== undefined) return { kind: before };
  const handle = await openAtOnce(path);
  if (typeof handle === "string") return { kind: handle };
  try {
    const stats = await handle.stat();
    const kind = kindOf(stats, maxBytes);
    if (kind === undefined) return { kind: "open", handle, stats };
    await handle.close();
    return { kind };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

function kindOf(stats: Stats, maxBytes: number): NotRead | undefined {
  if (stats.isSymbolicLink()) return "link";
  if (stats.isDirectory()) return "folder";
  if (!stats.isFile()) return "special";
  return stats.size > maxBytes ? "too-large" : undefined;
}

/** Opening a pipe must not wait for its writer, and a link was put there after the look. */
async function openAtOnce(path: string): Promise<FileHandle | NotRead> {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  try {
    return await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "ELOOP") return "link";
    // A socket, or a device without a driver.
    if (code === "ENXIO" || code === "ENODEV") return "special";
    throw thrown;
  }
}

/**
 * Where an open file is now, or undefined if it is not there any more: a folder on the path may have been replaced by
 * a link before it was opened.
 */
export async function placeOf({ dev, ino }: Stats, path: string): Promise<string | undefined> {
  const now = await realpath(path);
  const there = await lstat(now);
  return there.dev === dev && there.ino === ino ? now : undefined;
}

/** The bytes of an open file; undefined if there are too many, because it has grown. */
export function readWhole(handle: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  return collect(handle.createReadStream({ autoClose: false }), maxBytes);
}
