// The files of a zip archive or mailbox, by the same rules as a folder. Their names are never used to write a file.
import { KnowledgeError } from "../../domain/errors.ts";
import { formatOfName, isArchiveName, isMailboxName } from "../../domain/format-name.ts";
import { type MessageCode, toMessage } from "../../domain/phrases/messages.ts";
import type { AddRequest } from "../../domain/task.ts";
import { openMbox, openZip, type ZipEntry } from "../../extract/extract.ts";
import type { Accept } from "../intake/intake.ts";
import { isSecret, isSkippedFolder } from "../intake/secrets.ts";
import type { Closers, Found, SourceParts } from "./kind.ts";

const MAX_NAME_LENGTH = 1_000;
const SHOWN_NAME = 200;
/** Metadata files that macOS adds to archives. */
const RESOURCE_FORKS = "__MACOSX";

export async function* listArchive(
  { contentHash, filename, sourcePath = filename }: AddRequest,
  { store, accept }: Pick<SourceParts, "store" | "accept">,
  open: Closers,
): AsyncGenerator<Found> {
  const original = await store.originals.open(contentHash);
  open.push(() => original.release());
  const zip = await (isMailboxName(filename) ? openMbox : openZip)(original.path);
  open.push(() => zip.close());
  const items = toItems(zip.entries, { archive: sourcePath, accept });
  if (items.length === 0) throw new KnowledgeError("EMPTY_DOCUMENT", toMessage("emptyArchive"));
  yield { kind: "total", count: items.length };
  yield* items;
}

interface From {
  readonly archive: string;
  readonly accept: Accept;
}

function toItems(entries: readonly ZipEntry[], from: From): readonly Found[] {
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    if (entry.name.endsWith("/")) return [];
    const name = plainName(entry.name);
    if (name === undefined) return [refused(shown(entry.name), "archiveName")];
    if (!isWanted(name) || entry.sizeBytes === 0) return [];
    if (entry.isLink) return [refused(name, "archiveLink")];
    if (isArchiveName(name)) return [refused(name, "archiveNested")];
    if (seen.has(name)) return [refused(name, "archiveTwice")];
    seen.add(name);
    return [itemOf(entry, name, from)];
  });
}

function itemOf(entry: ZipEntry, name: string, { archive, accept }: From): Found {
  const filename = name.slice(name.lastIndexOf("/") + 1);
  const sourcePath = `${archive}!/${name}`;
  return {
    kind: "item",
    item: name,
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

function refused(item: string, why: MessageCode): Found {
  const take = () => Promise.reject(new KnowledgeError("EXTRACTION_LIMIT", toMessage(why)));
  return { kind: "item", item, take };
}
