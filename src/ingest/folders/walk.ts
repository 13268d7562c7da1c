// The files that a path refers to, in a stable order.
import { stat } from "node:fs/promises";
import { scanFolder } from "./scan.ts";

/** A file is itself; a folder is the supported files below it. */
export async function walk(path: string, signal: AbortSignal): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return [path];
  return [...(await scanFolder({ root: path, signal })).keys()].sort();
}
