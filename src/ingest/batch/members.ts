// The files of a folder or an archive at the time its task runs.
import { relative, sep } from "node:path";
import { defined } from "../../domain/defined.ts";
import { fromSystem, KnowledgeError } from "../../domain/errors.ts";
import { formatOfName, isArchiveName, isMailboxName } from "../../domain/format-name.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { type AddRequest, countLeftOut } from "../../domain/task.ts";
import { openMbox, openZip, type ZipEntry } from "../../extract/extract.ts";
import type { Log } from "../../observe/log.ts";
import type { Store } from "../../store/store.ts";
import { logUnread, scanAll } from "../folders/scan.ts";
import type { Accept } from "../intake/intake.ts";
import { isSecret, isSkippedFolder } from "../intake/secrets.ts";
import type { Member, Members } from "./add-many.ts";

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
  return { members, ...defined({ leftOut: countLeftOut(leftOut) }) };
}

const UNREADABLE =
  "This file or folder cannot be read. Check its permissions, then add the folder again.";

// The files of a zip archive, by the same rules as a folder. Their names are never used to write a file.

const MAX_NAME_LENGTH = 1_000;
const SHOWN_NAME = 200;
/** Metadata files that macOS adds to archives. */
const RESOURCE_FORKS = "__MACOSX";

export async function archiveMembers(
  { contentHash, filename, sourcePath = filename }: AddRequest,
  { store, accept }: { readonly store: Store; readonly accept: Accept },
): Promise<Members> {
  const original = await store.originals.open(contentHash);
  try {
    const open = isMailboxName(filename) ? openMbox : openZip;
    const zip = await open(original.path);
    const members = toMembers(zip.entries, { archive: sourcePath, accept });
    const close = async () => {
      zip.close();
      await original.release();
    };
    if (members.length > 0) return { members, close };
    zip.close();
    throw nothingIn();
  } catch (thrown) {
    await original.release();
    throw thrown;
  }
}

interface From {
  readonly archive: string;
  readonly accept: Accept;
}

function toMembers(entries: readonly ZipEntry[], from: From): readonly Member[] {
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    if (entry.name.endsWith("/")) return [];
    const name = plainName(entry.name);
    if (name === undefined) return [refused(shown(entry.name), STRANGE_NAME)];
    if (!isWanted(name) || entry.sizeBytes === 0) return [];
    if (entry.isLink) return [refused(name, LINK)];
    if (isArchiveName(name)) return [refused(name, NESTED)];
    if (seen.has(name)) return [refused(name, TWICE)];
    seen.add(name);
    return [memberOf(entry, name, from)];
  });
}

function memberOf(entry: ZipEntry, name: string, { archive, accept }: From): Member {
  const filename = name.slice(name.lastIndexOf("/") + 1);
  const sourcePath = `${archive}!/${name}`;
  return {
    name,
    take: (stop) => accept({ kind: "upload", filename, sourcePath, bytes: entry.read() }, stop),
  };
}

/** The path inside the archive; undefined if it leads outside or would be displayed as a different path. */
export function plainName(raw: string): string | undefined {
  const isStrange =
    raw.length > MAX_NAME_LENGTH ||
    !raw.isWellFormed() ||
    /[\\\p{Cc}\u202a-\u202e\u2066-\u2069]|^\/|^[a-z]:/iu.test(raw);
  const parts = raw.split("/").filter((part) => part !== "" && part !== ".");
  if (isStrange || parts.length === 0 || parts.includes("..")) return undefined;
  return parts.join("/").normalize("NFC");
}

function isWanted(name: string): boolean {
  const folders = name.split("/");
  const last = folders.pop() ?? "";
  if (folders.some((folder) => folder === RESOURCE_FORKS || isSkippedFolder(folder))) return false;
  if (last.startsWith(".") || isSecret(name)) return false;
  return formatOfName(last) !== undefined || isArchiveName(last);
}

function shown(raw: string): string {
  return raw
    .slice(0, SHOWN_NAME)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, "\ufffd");
}

const STRANGE_NAME =
  "Its name points outside the archive, or contains characters that file names must not have. Rename it and create the archive again.";
const LINK = "It is a link, not a file. Put the file itself into the archive.";
const NESTED = "It is an archive inside an archive. Unpack it, then add its folder.";
const TWICE =
  "The archive has another file with this name. Rename one and create the archive again.";

function refused(name: string, why: string): Member {
  const take = () => Promise.reject(new KnowledgeError("EXTRACTION_LIMIT", why));
  return { name, take };
}

function nothingIn(): KnowledgeError {
  return new KnowledgeError("EMPTY_DOCUMENT", toMessage("emptyArchive"));
}
