// The files of a folder at the time its task runs.
import { relative, sep } from "node:path";
import { fromSystem, KnowledgeError } from "../../domain/errors.ts";
import { type AddRequest, countLeftOut } from "../../domain/task.ts";
import { scanAll } from "../folders/walk.ts";
import type { TakeIn } from "../intake/intake.ts";
import type { Members } from "./add-many.ts";

export async function folderMembers(
  { sourcePath: root = "" }: AddRequest,
  takeIn: TakeIn,
  signal: AbortSignal,
): Promise<Omit<Members, "close">> {
  const unread: string[] = [];
  const onUnread = (path: string) => unread.push(path);
  const scanned = scanAll({ root, signal, onUnread }).catch((thrown: unknown) => {
    throw fromSystem(thrown, "file");
  });
  const { found, leftOut } = await scanned;
  const nameOf = (path: string) => relative(root, path).split(sep).join("/");
  const members = [
    // Each file passes the path gate, because the allowed folders may have changed since the task was queued.
    ...[...found.keys()].sort().map((path) => ({
      name: nameOf(path),
      take: (stop: AbortSignal) => takeIn({ kind: "file", path }, stop),
    })),
    ...unread.map((path) => ({ name: nameOf(path), take: () => Promise.reject(unreadable()) })),
  ];
  const counts = countLeftOut(leftOut);
  return { members, ...(counts === undefined ? {} : { leftOut: counts }) };
}

function unreadable(): KnowledgeError {
  return new KnowledgeError(
    "FILE_UNAVAILABLE",
    "This file or folder cannot be read. Check its permissions, then add the folder again.",
  );
}
