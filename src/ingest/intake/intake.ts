// Checks a file, folder, upload or web page that is to be added, and passes its bytes to the store.
import { randomUUID } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { basename, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import type { StoredDocument } from "../../domain/document.ts";
import { denied, fromSystem, KnowledgeError } from "../../domain/errors.ts";
import { formatOfName, isArchiveName, unsupportedFormat } from "../../domain/format-name.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { type AddRequest, countLeftOut, type LeftOutCounts } from "../../domain/task.ts";
import type { Store } from "../../store/store.ts";
import { toFilename } from "../../text/clean/filename.ts";
import { describeLeftOut } from "../../text/english/left-out.ts";
import { scanAll } from "../sources/folder/scan.ts";
import type { Web } from "../web/fetch-page.ts";
import { toPageAddress } from "../web/page-address.ts";
import { lastSegment } from "../web/page-name.ts";
import { type CopyOptions, checkSize, keepCopy } from "./keep-copy.ts";
import { openPathGate, type PathGateOptions } from "./path-gate.ts";
import { refuseSecretName } from "./secret-content.ts";

/** `scope`: where a page is looked for before it is fetched. */
export type Source = (FileSource | UploadSource | PageSource | SyncSource) & {
  readonly scope?: string;
};

/**
 * `anywhere`: a person at this machine named the file, so the allowed folders do not apply. `within`: only this
 * watched folder is allowed. Secrets are always refused.
 */
export interface FileSource {
  readonly kind: "file";
  readonly path: string;
  readonly anywhere?: boolean;
  readonly within?: string;
}

export interface UploadSource extends Pick<AddRequest, "page"> {
  readonly kind: "upload";
  readonly filename: string;
  /** Identifies the document: new content from the same source replaces it. */
  readonly sourcePath?: string;
  /** When it was last changed at its source. */
  readonly modified?: string | number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** If set, an archive is accepted as the files in it. Otherwise, and inside another archive, it is refused. */
  readonly mayBeMany?: boolean;
}

/** `refresh`: fetched again even if it is already in the knowledge base. */
interface PageSource {
  readonly kind: "page";
  readonly url: string;
  readonly refresh: boolean;
}

/** Everything that a source has. */
interface SyncSource {
  readonly kind: "source";
  readonly id: string;
  readonly name: string;
}

export interface IntakeOptions extends PathGateOptions, CopyOptions {
  readonly store: Store;
  /** Fetches pages; without it, pages are refused. */
  readonly web?: Web | undefined;
}

export interface Accepted {
  /** For a folder, page or source only a note is stored. An archive is stored until it is read. */
  readonly file: Omit<AddRequest, "metadata" | "forceOcr" | "caller" | "screen" | "scope">;
  /** What a folder has. */
  readonly folder?: {
    readonly found: number;
    /** The files that are not added, as a sentence. */
    readonly left?: string;
    readonly leftOut?: LeftOutCounts;
  };
  /** Call it once a task refers to the bytes: until then a removal may have deleted them. */
  ensureStored(): Promise<void>;
  /** Call it afterwards in every case. */
  release(): Promise<void>;
}

type Given = Pick<AddRequest, "metadata" | "forceOcr" | "caller" | "scope">;

/** What the task of an add needs. `given` may be the request of the folder that the file is in. */
export function requestFor(
  file: Accepted["file"],
  { metadata, forceOcr, caller, scope }: Given,
): AddRequest {
  return { ...file, metadata, forceOcr, screen: true, ...defined({ caller, scope }) };
}

export type Accept = (source: Source, signal: AbortSignal) => Promise<Accepted>;

interface Intake extends IntakeOptions {
  readonly signal: AbortSignal;
  readonly keep: (bytes: AsyncIterable<Uint8Array>) => ReturnType<typeof keepCopy>;
}

/** Checks in the contract's order, then stores the bytes. Nothing of a refused source is kept. */
export function openIntake(options: IntakeOptions): Accept {
  return async (source, signal) => {
    const keep: Intake["keep"] = (bytes) => keepCopy(bytes, options, signal);
    const intake = { ...options, signal, keep };
    if (source.kind === "page") return takePage(source, intake);
    if (source.kind === "source")
      return takeNote(
        { filename: toFilename(source.name), source: source.id, many: "source" },
        intake,
      );
    return source.kind === "upload" ? takeUpload(source, intake) : takePath(source, intake);
  };
}

async function takeUpload(source: UploadSource, { keep }: Intake): Promise<Accepted> {
  const filename = toFilename(source.filename);
  refuseSecretName(filename);
  const many = kindOf(filename, source.mayBeMany === true);
  const { contentHash, sizeBytes, ...kept } = await keep(readUpload(source.bytes));
  const { sourcePath, page } = source;
  const modified = toInstant(source.modified);
  const file = defined({ filename, sourcePath, contentHash, sizeBytes, many, modified, page });
  return { ...kept, file };
}

async function takePath(source: FileSource, intake: Intake): Promise<Accepted> {
  const { anywhere, within, path: given } = source;
  const byCaller = anywhere ? "anywhere" : intake.roots;
  const gate = openPathGate({ ...intake, roots: within === undefined ? byCaller : [within] });
  const folder = anywhere || within !== undefined ? undefined : await gate.folder(given);
  if (folder !== undefined) return takeFolder(folder, intake);
  // Unsupported extensions are refused before touching the disk.
  kindOf(gate.resolve(given), within === undefined);
  const opened = await gate.open(given);
  const { handle, path: sourcePath, filename, sizeBytes: expected } = opened;
  try {
    const many = kindOf(filename, within === undefined);
    checkSize(expected, intake.maxFileBytes);
    const { contentHash, sizeBytes, ...kept } = await intake.keep(readFile(handle));
    const modified = toInstant(opened.mtimeMs);
    const file = defined({ filename, sourcePath, contentHash, sizeBytes, many, modified });
    return { ...kept, file };
  } finally {
    await handle.close();
  }
}

async function takeFolder(sourcePath: string, intake: Intake): Promise<Accepted> {
  const { found, leftOut } = await scanAll({ root: sourcePath, signal: intake.signal });
  const archives = leftOut.archives.map((path) => relative(sourcePath, path).split(sep).join("/"));
  const left = describeLeftOut({ ...leftOut, archives });
  if (found.size === 0) throw nothingIn(left);
  const sizeBytes = [...found.values()].reduce((sum, file) => sum + file.sizeBytes, 0);
  const filename = toFilename(basename(sourcePath));
  return {
    ...(await takeNote({ filename, sourcePath, sizeBytes, many: "folder" }, intake)),
    folder: defined({ found: found.size, left, leftOut: countLeftOut(leftOut) }),
  };
}

/** A page is fetched when its task runs. */
async function takePage(
  { url: given, refresh, scope = GENERAL_SCOPE }: PageSource & Pick<Source, "scope">,
  intake: Intake,
): Promise<Accepted> {
  const { store, web } = intake;
  if (web === undefined) throw webIsOff();
  const { url, host } = toPageAddress(given, web.allowed);
  const present = await store.documents.findByPath(url.href, scope);
  if (present !== undefined && !refresh) return alreadyPresent(present);
  const filename = toFilename(lastSegment(url) || host);
  return takeNote({ filename, sourcePath: url.href, many: "page" }, intake);
}

/**
 * Stores a note for what is read when its task runs: one of its own for each task, so that the end of one does not delete
 * the next one's.
 */
async function takeNote(
  file: Omit<Accepted["file"], "contentHash" | "sizeBytes"> & { readonly sizeBytes?: number },
  { keep }: Intake,
): Promise<Accepted> {
  const note = Buffer.from(JSON.stringify({ ...file, task: randomUUID() }));
  const { contentHash, sizeBytes, ...kept } = await keep(Readable.from([note]));
  return { ...kept, file: { sizeBytes, ...file, contentHash } };
}

/** A date header or other date as ISO 8601; undefined if it is none, or lies in the future. */
function toInstant(date: string | number | undefined): string | undefined {
  const at = new Date(date ?? Number.NaN);
  return at.getTime() <= Date.now() ? at.toISOString() : undefined;
}

/** For a page that is already in the knowledge base: its task ends at once with that document. */
export function alreadyPresent(document: StoredDocument): Accepted {
  const { filename, sourcePath, contentHash, sizeBytes } = document;
  const nothing = async () => {};
  const file = defined({ filename, sourcePath, contentHash, sizeBytes });
  return { file, ensureStored: nothing, release: nothing };
}

/** Undefined for one document; refuses other extensions, and archives unless they may be added as many documents. */
function kindOf(filename: string, mayBeMany: boolean): "archive" | undefined {
  if (mayBeMany && isArchiveName(filename)) return "archive";
  const extension = /\.([^./\\]+)$/.exec(filename)?.[1];
  if (extension === undefined || formatOfName(filename) !== undefined) return undefined;
  throw unsupportedFormat(extension);
}

/** A read error is reported for the source, a write error for the data folder. */
async function* readFile(handle: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    yield* handle.createReadStream({ autoClose: false });
  } catch (thrown) {
    throw fromSystem(thrown, "file");
  }
}

async function* readUpload(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (cause) {
    if (cause instanceof KnowledgeError) throw cause;
    const message = "The upload was interrupted. Send the file again.";
    throw new KnowledgeError("CANCELLED", message, { cause });
  }
}

function nothingIn(left: string | undefined): KnowledgeError {
  const why = left === undefined ? toMessage("folderEmpty") : toMessage("folderEmptyBut", left);
  return new KnowledgeError("EMPTY_DOCUMENT", why);
}

export function webIsOff(): KnowledgeError {
  return denied("webOff");
}
