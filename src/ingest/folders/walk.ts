// The files that a path refers to, in a stable order.
import { stat } from "node:fs/promises";
import { isArchiveName } from "../../domain/format-name.ts";
import type { LeftOut } from "../../text/english/left-out.ts";
import { type ScanOptions, type Stamp, scanFolder } from "./scan.ts";

export interface Walked {
  readonly files: readonly string[];
  readonly leftOut: LeftOut;
}

/** A file is itself; a folder is the supported files below it. */
export async function walk(path: string, signal: AbortSignal): Promise<Walked> {
  const seen = await stat(path).catch(() => undefined);
  if (!seen?.isDirectory()) return { files: [path], leftOut: { archives: [], others: 0 } };
  const { found, leftOut } = await scanAll({ root: path, signal });
  return { files: [...found.keys()].sort(), leftOut };
}

/** Also what a person may expect to be added and is not. */
export async function scanAll(
  options: Omit<ScanOptions, "onLeftOut">,
): Promise<{ readonly found: ReadonlyMap<string, Stamp>; readonly leftOut: LeftOut }> {
  const left: string[] = [];
  const found = await scanFolder({ ...options, onLeftOut: (path) => left.push(path) });
  const archives = left.filter(isArchiveName).sort();
  return { found, leftOut: { archives, others: left.length - archives.length } };
}
