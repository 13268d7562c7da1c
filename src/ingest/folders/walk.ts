// The files that a path refers to, in a stable order.
import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { isArchiveName } from "../../domain/format-name.ts";
import { lookAt } from "../../files/regular-file.ts";
import type { Log } from "../../observe/log.ts";
import type { LeftOut } from "../../text/english/left-out.ts";
import { type ScanOptions, type Stamp, scanFolder, type Why } from "./scan.ts";

export interface Walked {
  readonly files: readonly string[];
  readonly leftOut: LeftOut;
}

/** A file path yields that file; a folder path yields the supported files below it. */
export async function walk(path: string, signal: AbortSignal, log: Log): Promise<Walked> {
  const seen = await realpath(path).then(lookAt, () => undefined);
  if (!seen?.isDirectory()) return { files: [path], leftOut: NOTHING };
  const unread = new Map<string, string>();
  const onUnread = (at: string, reason?: string) => reason && unread.set(at, reason);
  const { found, leftOut } = await scanAll({ root: path, signal, onUnread });
  logUnread(log, path, unread);
  return { files: [...found.keys()].sort(), leftOut };
}

/** Ignore files and folders that were not read, in one line however many they are. */
export function logUnread(log: Log, root: string, unread: ReadonlyMap<string, string>): void {
  const [[path, reason] = []] = unread;
  if (path === undefined) return;
  const file = relative(root, path).split(sep).join("/");
  log.warn("ingest.folder-unread", { count: unread.size, file, reason });
}

/** Also reports files that a person may expect to be added but that are skipped. */
export async function scanAll(
  options: Omit<ScanOptions, "onLeftOut">,
): Promise<{ readonly found: ReadonlyMap<string, Stamp>; readonly leftOut: LeftOut }> {
  const left = new Map<string, Why>();
  const found = await scanFolder({ ...options, onLeftOut: (path, why) => left.set(path, why) });
  const because = (wanted: Why) =>
    [...left].filter(([, why]) => why === wanted).map(([path]) => path);
  const formats = because("format");
  const archives = formats.filter(isArchiveName).sort();
  const leftOut = {
    archives,
    others: formats.length - archives.length,
    ignored: because("ignored").length,
    hidden: because("hidden").length,
    links: because("link").length,
    empty: because("empty").length,
  };
  return { found, leftOut };
}

const NOTHING: LeftOut = { archives: [], others: 0, ignored: 0, hidden: 0, links: 0, empty: 0 };
