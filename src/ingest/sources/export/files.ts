// The files of an export, wherever they are: in a folder, in an archive (or archives inside one, as Notion makes them),
// or one file alone. Names in an archive are never used to write a file.
import type { FileHandle } from "node:fs/promises";
import { mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { denied, fromSystem, KnowledgeError } from "../../../domain/errors.ts";
import { formatOfName, isMailboxName } from "../../../domain/format-name.ts";
import { toMessage } from "../../../domain/phrases/messages.ts";
import { openMbox, openZip } from "../../../extract/extract.ts";
import { lookAt, openRegular, placeOf } from "../../../files/regular-file.ts";
import { plainName } from "../archive.ts";
import { scanAll } from "../folder/scan.ts";
import type { Closers } from "../kind.ts";
import { readTgz } from "./tar.ts";

export interface ExportFile {
  /** Its path inside the export, with slashes. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Another one if the content is another. */
  readonly version: string;
  read(): AsyncIterable<Uint8Array>;
}

export interface Export {
  /** In the order of their names. */
  readonly files: readonly ExportFile[];
  /** The mails of a file that is a mailbox. */
  mails(file: ExportFile): ReturnType<typeof openMbox>;
}

/** Nothing of this size is held in memory: archives are read entry by entry, and JSON element by element. */
const GIGABYTE = 1024 ** 3;
const LIMITS = {
  zipEntries: 200_000,
  zipEntryBytes: 8 * GIGABYTE,
  zipTotalBytes: 16 * GIGABYTE,
};
const MAX_MAILS = 1_000_000;
/** A mail is held in memory; most providers take 25 MB. */
export const MAX_MAIL_BYTES = 64 * 1024 * 1024;
const MAX_PARTS = 100;

export function isExportName(path: string): boolean {
  return /\.json$/i.test(path) || isPacked(path) || isMailboxName(path);
}

function isPacked(name: string): boolean {
  return /\.zip$/i.test(name) || isTgz(name);
}

function isTgz(name: string): boolean {
  return /\.(?:tgz|tar\.gz)$/i.test(name);
}

/** What only a folder with an export has. */
const MARKS = [".obsidian", "conversations.json", "channels.json", "chat.html"];

export async function isExportFolder(path: string): Promise<boolean> {
  const looks = MARKS.map((name) => lookAt(join(path, name)).catch(() => undefined));
  return (await Promise.all(looks)).some((found) => found !== undefined);
}

export interface OpenOptions {
  /** For what has to be unpacked to be read; emptied before and afterwards. */
  readonly unpackedDir: string;
  readonly open: Closers;
  readonly signal: AbortSignal;
}

export async function openExport(path: string, options: OpenOptions): Promise<Export> {
  const { unpackedDir, open } = options;
  const clear = () => rm(unpackedDir, { recursive: true, force: true });
  await clear();
  open.push(clear);
  const found = await lookAt(path).catch((thrown: unknown) => {
    throw fromSystem(thrown, "file");
  });
  const root = found.isDirectory() ? path : dirname(path);
  const files = found.isDirectory()
    ? await filesIn(path, options)
    : [await fileAt(path, root, await realpath(root))];
  const unpacked = await unpackAll(files, { ...options, root, depth: 0 });
  const sorted = unpacked.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { files: sorted, mails: (file) => mailsOf(file, { ...options, root }) };
}

async function filesIn(root: string, { signal }: OpenOptions): Promise<readonly ExportFile[]> {
  const { found, leftOut } = await scanAll({ root, signal }).catch((thrown: unknown) => {
    throw fromSystem(thrown, "file");
  });
  const real = await realpath(root);
  const paths = [...found.keys(), ...leftOut.archives.filter(isMailboxName)];
  return Promise.all(paths.map((path) => fileAt(path, root, real)));
}

/** `real`: the folder that it must be in when it is opened. */
async function fileAt(path: string, root: string, real: string): Promise<OnDisk> {
  const { size: sizeBytes, mtimeMs } = await lookAt(path);
  const name = relative(root, path).split(sep).join("/");
  const open = () => openInside(path, real);
  return { name, sizeBytes, version: `${sizeBytes}:${mtimeMs}`, read: () => readAt(open), open };
}

/** A file of the disk can be opened at any place. */
interface OnDisk extends ExportFile {
  open(): Promise<FileHandle>;
}

async function openInside(path: string, real: string): Promise<FileHandle> {
  const opened = await openRegular(path).catch((thrown: unknown) => {
    throw fromSystem(thrown, "file");
  });
  if (opened.kind !== "open") throw denied("notRegular");
  const place = await placeOf(opened.stats, path).catch(() => undefined);
  if (place?.startsWith(real.endsWith(sep) ? real : real + sep)) return opened.handle;
  await opened.handle.close();
  throw denied("exportOutside");
}

async function* readAt(open: () => Promise<FileHandle>): AsyncGenerator<Uint8Array> {
  await using handle = await open();
  yield* handle.createReadStream({ autoClose: false });
}

interface Unpacking extends OpenOptions {
  readonly root: string;
  readonly depth: number;
}

/** An export that is an archive has the archive's files; those of archives inside it too. */
async function unpackAll(
  files: readonly ExportFile[],
  unpacking: Unpacking,
): Promise<readonly ExportFile[]> {
  const isWrapped = files.every(({ name }) => isPacked(name)) && files.length <= MAX_PARTS;
  if (!isWrapped || unpacking.depth > 1) return files;
  const all: ExportFile[] = [];
  for (const file of files) {
    const inside = await unpack(file, unpacking);
    const next = await unpackAll(inside, { ...unpacking, depth: unpacking.depth + 1 });
    for (const each of next) all.push(each);
    if (all.length > LIMITS.zipEntries)
      throw new KnowledgeError("EXTRACTION_LIMIT", toMessage("exportTooLarge"));
  }
  return all;
}

async function unpack(file: ExportFile, unpacking: Unpacking): Promise<readonly ExportFile[]> {
  const handle = await toDisk(file, unpacking);
  if (isTgz(file.name)) return unpackTgz(handle, unpacking);
  const zip = await openZip(handle, LIMITS);
  const names = new Set<string>();
  return zip.entries.flatMap(({ name: raw, sizeBytes, isLink, version = "", read }) => {
    const name = raw.endsWith("/") || isLink ? undefined : plainName(raw);
    if (name === undefined || sizeBytes === 0 || names.has(name)) return [];
    names.add(name);
    return [{ name, sizeBytes, version, read }];
  });
}

/** What inflates to more than this is a bomb. */
const MAX_RATIO = 200;
const MIN_BOMB_BYTES = 32 * 1024 * 1024;

/** Its files are read in no order, so those that are wanted are copied, under names of ours. */
async function unpackTgz(
  handle: FileHandle,
  { unpackedDir, open, signal }: Unpacking,
): Promise<readonly ExportFile[]> {
  const { size } = await handle.stat();
  const totalBytes = Math.min(LIMITS.zipTotalBytes, Math.max(MIN_BOMB_BYTES, size * MAX_RATIO));
  const limits = { files: LIMITS.zipEntries, fileBytes: LIMITS.zipEntryBytes, totalBytes };
  const folder = join(unpackedDir, `files-${open.length}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const real = await realpath(folder);
  const found = new Map<string, ExportFile>();
  for await (const entry of readTgz(handle.createReadStream({ autoClose: false }), limits)) {
    signal.throwIfAborted();
    const { sizeBytes, modified, bytes } = entry;
    const name = plainName(entry.name);
    if (name === undefined || sizeBytes === 0 || found.has(name) || !isRead(name)) continue;
    const path = join(real, String(found.size));
    await writeFile(path, bytes, { flag: "wx", mode: 0o600, signal });
    const copied = await fileAt(path, real, real);
    found.set(name, { ...copied, name, version: `${sizeBytes}:${modified}` });
  }
  return [...found.values()];
}

/** Films and the like are not copied. */
function isRead(name: string): boolean {
  return (
    isExportName(name) || formatOfName(name) !== undefined || /(?:^|\/)\.obsidian\//.test(name)
  );
}

/** The file, open: one inside an archive is unpacked, because it is read at several places. */
async function toDisk(
  file: ExportFile,
  { unpackedDir, open, signal }: OpenOptions,
): Promise<FileHandle> {
  if (!("open" in file)) {
    await mkdir(unpackedDir, { recursive: true, mode: 0o700 });
    const path = join(unpackedDir, String(open.length));
    await writeFile(path, file.read(), { flag: "wx", mode: 0o600, signal });
    const opened = await openRegular(path);
    if (opened.kind !== "open") throw new KnowledgeError("INTERNAL", "An unpacked file is lost.");
    open.push(() => opened.handle.close());
    return opened.handle;
  }
  const handle = await (file as OnDisk).open();
  open.push(() => handle.close());
  return handle;
}

async function mailsOf(file: ExportFile, options: OpenOptions & { readonly root: string }) {
  const limits = { ...LIMITS, zipEntries: MAX_MAILS, zipEntryBytes: MAX_MAIL_BYTES };
  return openMbox(await toDisk(file, options), limits);
}

/** The name without folders. */
export function lastOf(name: string): string {
  return basename(name);
}
