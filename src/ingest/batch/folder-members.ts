// The files of a folder at the time its task runs.
import { relative, sep } from "node:path";
import { fromSystem, KnowledgeError } from "../../domain/errors.ts";
import { type AddRequest, countLeftOut } from "../../domain/task.ts";
import type { Log } from "../../observe/log.ts";
import { logUnread, scanAll } from "../folders/walk.ts";
import type { Accept } from "../intake/intake.ts";
import type { Members } from "./add-many.ts";

export async function folderMembers(
  { sourcePath: root = "" }: AddRequest,
  { accept, log }: { readonly accept: Accept; readonly log: Log },
  signal: AbortSignal,
): Promise<Omit<Members, "close">> {
  const unread = new Map<string, string>();
  const onUnread = (path: string, reason = UNREADABLE) => unread.set(path, reason);
  const scanned = scanAll({ root, signal, onUnread }).catch((thrown: unknown) => {
    throw fromSystem(thrown, "file");
  });
  const { found, leftOut } = await scanned;
  logUnread(log, root, unread);
  const nameOf = (path: string) => relative(root, path).split(sep).join("/");
  const members = [
    // Each file passes the path gate, because the allowed folders may have changed since the task was queued.
    ...[...found.keys()].sort().map((path) => ({
      name: nameOf(path),
      take: (stop: AbortSignal) => accept({ kind: "file", path }, stop),
    })),
    ...[...unread].map(([path, reason]) => ({
      name: nameOf(path),
      take: () => Promise.reject(new KnowledgeError("FILE_UNAVAILABLE", reason)),
    })),
  ];
  const counts = countLeftOut(leftOut);
  return { members, ...(counts === undefined ? {} : { leftOut: counts }) };
}

const UNREADABLE =
  "This file or folder cannot be read. Check its permissions, then add the folder again.";
