// The files below a folder that are worth adding, in a stable order.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { formatOfName } from "../domain/format-name.ts";
import { isSecret, isSkippedFolder } from "./secrets.ts";

/** Links are not followed: what they lead to is added where it lies, and circles end. */
export async function* walk(path: string, signal?: AbortSignal): AsyncGenerator<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) {
    yield path;
    return;
  }
  yield* walkFolder(path, signal);
}

async function* walkFolder(folder: string, signal?: AbortSignal): AsyncGenerator<string> {
  signal?.throwIfAborted();
  // A folder that may not be read is passed over: the rest can still be added.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !isSkippedFolder(entry.name)) yield* walkFolder(path, signal);
    if (!entry.isFile() || entry.name.startsWith(".") || isSecret(path)) continue;
    if (formatOfName(entry.name) !== undefined) yield path;
  }
}
