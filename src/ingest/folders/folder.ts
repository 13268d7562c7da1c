// Keeps the knowledge base in sync with one folder.
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { basename, sep } from "node:path";
import { type AuditOutcome, backgroundEvent } from "../../domain/call/audit-event.ts";
import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import type { Metadata, StoredDocument } from "../../domain/document.ts";
import { isOutage, KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { isPlainPicture } from "../../domain/format-name.ts";
import type { Task, TaskFailure } from "../../domain/task.ts";
import { openRegular, readParts } from "../../files/regular-file.ts";
import type { DocumentStore } from "../../store/store.ts";
import { limitConcurrency } from "../batch/limit-concurrency.ts";
import type { Ingest, IngestOptions } from "../ingest.ts";
import { compare, type LedgerEntry, readLedger, writeLedger } from "./ledger.ts";
import { logUnread, type Stamp, scanFolder } from "./scan.ts";

export interface WatchedFolder {
  readonly path: string;
  /** Patterns in .gitignore syntax, as in a scan. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly metadata?: Metadata | undefined;
  /** Where its documents belong; absent for the general scope. */
  readonly scope?: string | undefined;
}

/** What all watched folders share. */
export interface FolderParts extends Pick<IngestOptions, "perform" | "maxFileBytes" | "log"> {
  readonly documents: Pick<DocumentStore, "findByHash" | "remove" | "adopt">;
  readonly ingest: Pick<Ingest, "enqueue" | "finish">;
  readonly onFile?: ((change: FileChange) => void) | undefined;
}

interface FolderOptions extends FolderParts, Omit<WatchedFolder, "path"> {
  readonly root: string;
  readonly ledgerPath: string;
  readonly signal: AbortSignal;
}

/** The outcome for one file. `present`: the knowledge base already had its content. */
export interface FileChange {
  readonly path: string;
  readonly change: "added" | "changed" | "removed" | "failed" | "present";
  readonly reason?: string;
}

export interface FolderState {
  readonly files: number;
  /** Files that could not be added, and ignore files and folders that could not be read, with the reason. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  /** Pictures without text. */
  readonly skipped: number;
  readonly waiting: number;
}

// Maximum number of concurrent adds: enough to keep the workers busy, few enough not to copy a whole folder into the
// queue.
const MAX_ADDS = 4;
// A file touched more recently than this may still be being written.
const QUIET_MS = 300;

interface FolderCore extends FolderOptions {
  readonly files: Map<string, LedgerEntry>;
  /** Hashes of contents that may have been removed from the knowledge base or moved to another path. */
  readonly dirty: Set<string>;
  waiting: number;
  /** Ignore files and folders that the last pass did not read, and why. */
  unread: ReadonlyMap<string, string>;
  /** Whether a ledger already exists. */
  isKnown: boolean;
}

export type Folder = Awaited<ReturnType<typeof openFolder>>;

export async function openFolder(options: FolderOptions) {
  const files = new Map(Object.entries((await readLedger(options.ledgerPath))?.files ?? {}));
  // Documents may have been added or removed while the folder was not watched, so the first pass checks the content
  // of every file.
  const dirty = new Set(
    [...files.values()].flatMap(({ hash, refused }) => (refused ? [] : [hash])),
  );
  const state = { waiting: 0, unread: new Map(), isKnown: files.size > 0 };
  const folder: FolderCore = { ...options, files, dirty, ...state };
  return {
    sync: () => syncFolder(folder),
    state: (): FolderState => ({
      files: files.size,
      waiting: folder.waiting,
      skipped: [...files.values()].filter(({ isPlain }) => isPlain).length,
      refused: [
        ...[...folder.unread].map(([path, reason]) => ({ path, reason })),
        ...[...files].flatMap(([path, { refused, isPlain }]) =>
          refused && !isPlain ? [{ path, reason: refused }] : [],
        ),
      ],
    }),
  };
}

/**
 * Brings the knowledge base up to date with the folder. True if a file was written so recently that the folder has to
 * be checked again soon.
 */
async function syncFolder(folder: FolderCore): Promise<boolean> {
  const { root, files, dirty, log, signal } = folder;
  const unread = new Map<string, string | undefined>();
  const onUnread = (path: string, reason?: string) => unread.set(path, reason);
  const seen = await scanFolder({ ...folder, onUnread });
  recordUnread(folder, unread);
  const compared = compare(files, seen);
  const { touched } = compared;
  const gone = compared.gone.filter((path) => ![...unread.keys()].some((at) => isWithin(path, at)));
  // A lost mount looks like an empty folder, as if everything had been deleted at once.
  if (seen.size === 0 && gone.length > 0 && (await readdir(root)).length === 0) {
    log.warn("ingest.folder-empty", { kept: gone.length });
    return false;
  }
  folder.waiting = touched.length;
  const add = (path: string) => addIfChanged(folder, path, seen.get(path));
  await limitConcurrency(MAX_ADDS).each(touched, signal, add);
  signal.throwIfAborted();
  for (const path of gone) {
    dirty.add(files.get(path)?.hash ?? "");
    files.delete(path);
    folder.onFile?.({ path, change: "removed" });
  }
  for (const hash of dirty) {
    await reconcileContent(folder, hash);
    dirty.delete(hash);
  }
  if (!folder.isKnown || touched.length + gone.length > 0) {
    await writeLedger(folder.ledgerPath, { root, scope: folder.scope }, files);
    folder.isKnown = true;
    log.info("ingest.folder-settled", { touched: touched.length, gone: gone.length });
  }
  const now = Date.now();
  return [...seen.values()].some(({ mtimeMs }) => Math.abs(now - mtimeMs) < QUIET_MS);
}

/** Logged once, and shown in the folder's state as long as it is so. */
function recordUnread(folder: FolderCore, found: ReadonlyMap<string, string | undefined>): void {
  const unread = new Map([...found].flatMap(([path, reason]) => (reason ? [[path, reason]] : [])));
  const isNew = [...unread].some(([path, reason]) => folder.unread.get(path) !== reason);
  if (isNew) logUnread(folder.log, folder.root, unread);
  folder.unread = unread;
}

async function addIfChanged(folder: FolderCore, path: string, stamp: Stamp | undefined) {
  const { files, dirty } = folder;
  const hash = await hashFile(path, folder);
  const known = files.get(path);
  if (known) dirty.add(known.hash);
  if (known && stamp && hash === known.hash) files.set(path, { ...known, ...stamp });
  else if (stamp && hash !== undefined) await addUnlessStored(folder, path, { stamp, hash });
  folder.waiting -= 1;
}

/** Adds the file unless its content is already stored, and records the outcome in its entry. */
async function addUnlessStored(
  folder: FolderCore,
  path: string,
  { stamp, hash }: { readonly stamp: Stamp; readonly hash: string },
): Promise<void> {
  const { files } = folder;
  const change = files.has(path) ? "changed" : "added";
  if (await findContent(folder, hash)) {
    files.set(path, { ...stamp, hash });
    folder.onFile?.({ path, change: "present" });
    return;
  }
  const added = await addFile(path, folder);
  if (added === "later") return;
  if (added === "gone") files.delete(path);
  else {
    const { refused: reason, isPlain } = added;
    files.set(path, { ...stamp, hash, ...added });
    if (isPlain) return;
    folder.onFile?.(reason === undefined ? { path, change } : { path, change: "failed", reason });
  }
}

/** In the folder's scope, or where somebody has moved a document of this folder. */
async function findContent({ root, documents, scope = GENERAL_SCOPE }: FolderCore, hash: string) {
  const here = await documents.findByHash(hash, scope);
  if (here) return here;
  const elsewhere = await documents.findByHash(hash);
  return elsewhere?.sourcePath?.startsWith(`${root}${sep}`) ? elsewhere : undefined;
}

/** Runs after the adds: removes content that is gone, and moves documents to a path that still exists. */
async function reconcileContent(folder: FolderCore, hash: string): Promise<void> {
  const { root, files, documents, perform } = folder;
  const holds = ({ hash: held, refused }: LedgerEntry) => held === hash && !refused;
  const holders = [...files].filter(([, entry]) => holds(entry)).map(([path]) => path);
  const document = await findContent(folder, hash);
  const isOurs = document?.sourcePath?.startsWith(`${root}${sep}`) === true;
  const [holder] = holders;
  if (holder !== undefined && !document) {
    const entry = files.get(holder);
    if (entry) await addUnlessStored(folder, holder, { stamp: entry, hash });
  } else if (document && isOurs && holder === undefined) {
    const remove = () => documents.remove(document.id, "left-folder");
    await perform(backgroundEvent("folder-remove", targetOf(document)), remove);
  } else if (document && isOurs && holder && !holders.includes(document.sourcePath ?? "")) {
    const adopt = () => documents.adopt(document.id, { sourcePath: holder, metadata: {} });
    await perform(backgroundEvent("folder-move", targetOf(document)), adopt);
  }
}

function targetOf({ id, filename }: StoredDocument) {
  return { document_id: id, file: filename };
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}

/** A file that is too large to be added is not read, and has no hash. */
const TOO_LARGE = "";

/** Undefined if the file cannot be read now. */
async function hashFile(path: string, { maxFileBytes, signal }: FolderCore) {
  const opened = await openRegular(path, maxFileBytes).catch(() => undefined);
  if (opened?.kind === "too-large") return TOO_LARGE;
  if (opened?.kind !== "open") return undefined;
  const hash = createHash("sha256");
  try {
    const isWhole = await readParts(opened.handle, maxFileBytes, (part) => {
      signal.throwIfAborted();
      hash.update(part);
    });
    return isWhole ? hash.digest("hex") : TOO_LARGE;
  } catch {
    // As above: the next look at the folder tries again.
    signal.throwIfAborted();
    return undefined;
  } finally {
    await opened.handle.close();
  }
}

type AddOptions = Pick<
  FolderOptions,
  "root" | "ingest" | "metadata" | "scope" | "signal" | "perform"
>;
type Added = Partial<Pick<LedgerEntry, "hash" | "refused" | "isPlain">>;

/**
 * Adds one file as a task and returns what its entry says. `later`: the file cannot be read right now; its entry is left
 * unchanged, so the next pass tries again.
 */
export async function addFile(
  path: string,
  { root, ingest, metadata = {}, scope, signal, perform }: AddOptions,
): Promise<Added | "gone" | "later"> {
  const add = async () => {
    const source = { kind: "file", path, within: root } as const;
    const placed = { metadata, forceOcr: false, ...defined({ scope }) };
    const { task } = await ingest.enqueue(source, { ...placed, signal });
    return ingest.finish(task.id, { signal });
  };
  const event = backgroundEvent("folder-add", { file: basename(path) });
  try {
    const { status, failure, request } = await perform(event, add, endOf);
    if (isOutage(failure?.error.toUpperCase() ?? "")) {
      throw new KnowledgeError("STORE_UNAVAILABLE", failure?.message ?? "");
    }
    const hash = request.contentHash;
    if (status === "completed") return { hash };
    return { hash, ...refusedFor(path, failure ?? { error: "", message: status }) };
  } catch (thrown) {
    signal.throwIfAborted();
    const { code: error, message } = toKnowledgeError(thrown);
    if (error === "FILE_NOT_FOUND") return "gone";
    if (error === "FILE_UNAVAILABLE") return "later";
    // The next pass tries the file again.
    if (isOutage(error) || error === "INTERNAL") throw toKnowledgeError(thrown);
    return refusedFor(path, { error, message });
  }
}

function endOf({ id, status, failure, result }: Task): AuditOutcome {
  const target = { task_id: id, ...defined({ document_id: result?.documentId }) };
  return status === "completed" ? { target } : { target, error: failure?.error ?? status };
}

function refusedFor(path: string, { error, message }: TaskFailure): Added {
  return { refused: message, ...(isPlainPicture(path, error) ? { isPlain: true } : {}) };
}
