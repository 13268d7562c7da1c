// Files that survive a power cut complete, once the call has returned.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";

export async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** An existing file at `to` has the same content and is replaced. */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (thrown) {
    if (codeOf(thrown) !== "EXDEV") throw thrown;
    const part = `${to}.${randomUUID()}.part`;
    await copyFile(from, part);
    await syncPath(part, "r+");
    await rename(part, to);
    await rm(from);
  }
  await syncFolder(dirname(to));
}

export async function writeJson(path: string, value: unknown): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  const file = await open(part, "wx", 0o600);
  try {
    await file.writeFile(JSON.stringify(value));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
}

/** Undefined if the file is unreadable: losing a note loses only a name, not the file. */
export async function readJson<Value>(path: string): Promise<Value | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Value;
  } catch {
    return undefined;
  }
}

export async function syncPath(path: string, flags: string): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot sync a folder; its renames are durable anyway.
  if (process.platform !== "win32") await syncPath(path, "r");
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((thrown: unknown) => {
    if (codeOf(thrown) === "ENOENT" || codeOf(thrown) === "ENOTDIR") return [];
    throw thrown;
  });
}

/** Never creates the parent folder: if it was moved, a half-empty one must not replace it. */
export async function makeFolderIn(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((thrown: unknown) => {
    if (codeOf(thrown) !== "EEXIST") throw thrown;
  });
}

export function codeOf(thrown: unknown): unknown {
  return (thrown as { code?: unknown } | null)?.code;
}
