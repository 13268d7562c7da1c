// The files of a folder: all of them at once for an add, or against the last sync for a source.
import { join, relative, sep } from "node:path";
import { defined } from "../../../domain/defined.ts";
import { fromSystem } from "../../../domain/errors.ts";
import { type Message, toMessage } from "../../../domain/phrases/messages.ts";
import { countLeftOut } from "../../../domain/task.ts";
import type { FileSource } from "../../intake/intake.ts";
import { type Found, type SourceKind, type SourceParts, tooMany } from "../kind.ts";
import { logUnread, type ScanOptions, type Stamp, scanAll } from "./scan.ts";

export const folder: SourceKind = {
  listsAll: true,
  owns: ({ address }, path) => path.startsWith(`${address}${sep}`),
  list({ source: { address: root, settings }, signal }, parts) {
    const { include, exclude, maxItems } = settings;
    // Whoever added the source was allowed to.
    return listFolder({ root, include, exclude, signal }, parts, { within: root, maxItems });
  },
};

interface Bounds extends Pick<FileSource, "within"> {
  readonly maxItems?: number | undefined;
}

export async function* listFolder(
  scan: Omit<ScanOptions, "onUnread" | "onLeftOut">,
  { accept, log }: Pick<SourceParts, "accept" | "log">,
  { within, maxItems = Number.POSITIVE_INFINITY }: Bounds = {},
): AsyncGenerator<Found> {
  const { root } = scan;
  const unread = new Map<string, Message>();
  const onUnread = (path: string, reason = toMessage("folderUnreadable")) =>
    unread.set(path, reason);
  const scanned = await scanAll({ ...scan, onUnread }).catch((thrown: unknown) => {
    throw fromSystem(thrown, "file");
  });
  const { found, leftOut } = scanned;
  logUnread(log, root, unread);
  const items = [...found.keys()].map((path) => itemOf(root, path)).sort();
  const count = Math.min(items.length, maxItems) + unread.size;
  yield { kind: "total", count, ...defined({ leftOut: countLeftOut(leftOut) }) };
  for (const item of items.slice(0, maxItems)) {
    const path = join(root, item);
    // Each file passes the path gate, because the allowed folders may have changed since an add was queued.
    const file = { kind: "file", path, ...defined({ within }) } as const;
    const version = versionOf(found.get(path));
    yield { kind: "item", item, version, take: (stop) => accept(file, stop) };
  }
  for (const [path, problem] of unread) yield { kind: "unread", item: itemOf(root, path), problem };
  if (items.length > maxItems) yield tooMany(maxItems);
}

function itemOf(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

/** Enough to see that a file has not changed; if it may have, its bytes decide. */
export function versionOf({ sizeBytes, mtimeMs }: Stamp = { sizeBytes: 0, mtimeMs: 0 }): string {
  return `${sizeBytes}:${mtimeMs}`;
}
