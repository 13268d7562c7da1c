// One folder kept fresh: whenever something moves below it, the knowledge base is brought up to date with it.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { type ActEnd, backgroundAct, type Perform, type Target } from "../../domain/call/act.ts";
import type { Metadata, StoredDocument } from "../../domain/document.ts";
import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { isPlainPicture } from "../../domain/format-name.ts";
import type { Task, TaskFailure } from "../../domain/task.ts";
import type { Log } from "../../observe/log.ts";
import type { DocumentStore } from "../../store/store.ts";
import type { Ingest } from "../ingest.ts";
import { compare, type LedgerEntry, readLedger, writeLedger } from "./ledger.ts";
import { type Stamp, scanFolder } from "./scan.ts";

export interface FolderOptions {
  readonly root: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly metadata?: Metadata | undefined;
  readonly ledgerPath: string;
  readonly documents: Pick<DocumentStore, "findByHash" | "remove" | "adopt">;
  readonly ingest: Pick<Ingest, "enqueue" | "finish">;
  /** Checks the right, audits, and makes the change. */
  readonly perform: Perform;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly onFile?: ((change: FileChange) => void) | undefined;
}

/** What became of one file of the folder. `present`: the knowledge base had its content already. */
export interface FileChange {
  readonly path: string;
  readonly change: "added" | "changed" | "removed" | "failed" | "present";
  /** Why it failed. */
  readonly reason?: string;
}

export interface FolderState {
  readonly files: number;
  /** Files that could not be added, with the reason. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  /** Pictures without text. */
  readonly skipped: number;
  readonly waiting: number;
}

export interface Folder {
  /** Brings the knowledge base up to date with the folder. True: something was written too recently, look again soon. */
  settle(): Promise<boolean>;
  state(): FolderState;
}

// Adds in flight: enough to keep the workers busy, few enough not to copy a whole folder into the queue at once.
const AT_ONCE = 4;
// A file touched more recently than this may still be being written.
const QUIET_MS = 300;

/** What is known of the folder's files. */
interface FolderCore extends FolderOptions {
  readonly files: Map<string, LedgerEntry>;
  /** Contents that may have left or lost their place. */
  readonly dirty: Set<string>;
  waiting: number;
  /** Its ledger was written before. */
  isKnown: boolean;
}

export async function openFolder(options: FolderOptions): Promise<Folder> {
  const files = new Map(Object.entries((await readLedger(options.ledgerPath))?.files ?? {}));
  // The knowledge base may have lost or gained documents while nobody watched: the first look checks every content.
  const dirty = new Set(
    [...files.values()].flatMap(({ hash, refused }) => (refused ? [] : [hash])),
  );
  const folder: FolderCore = { ...options, files, dirty, waiting: 0, isKnown: files.size > 0 };
  return {
    settle: () => settle(folder),
    state: () => ({
      files: files.size,
      waiting: folder.waiting,
      skipped: [...files.values()].filter(({ isPlain }) => isPlain).length,
      refused: [...files].flatMap(([path, { refused, isPlain }]) =>
        refused && !isPlain ? [{ path, reason: refused }] : [],
      ),
    }),
  };
}

/** True when something was touched a moment ago and may not be whole yet. */
async function settle(folder: FolderCore): Promise<boolean> {
  const { root, files, dirty, log } = folder;
  const unread: string[] = [];
  const seen = await scanFolder({ ...folder, onUnread: (path) => unread.push(path) });
  const compared = compare(files, seen);
  const { touched } = compared;
  const gone = compared.gone.filter((path) => !unread.some((at) => isWithin(path, at)));
  // What is left of a lost mount is an empty folder, as if all had been deleted at once.
  if (seen.size === 0 && gone.length > 0 && (await readdir(root)).length === 0) {
    log.warn("ingest.folder-empty", { kept: gone.length });
    return false;
  }
  folder.waiting = touched.length;
  await inParallel(touched, AT_ONCE, (path) => takeTouched(folder, path, seen.get(path)));
  for (const path of gone) {
    dirty.add(files.get(path)?.hash ?? "");
    files.delete(path);
    folder.onFile?.({ path, change: "removed" });
  }
  for (const hash of dirty) {
    await tidyUp(folder, hash);
    dirty.delete(hash);
  }
  if (!folder.isKnown || touched.length + gone.length > 0) {
    await writeLedger(folder.ledgerPath, root, files);
    folder.isKnown = true;
    log.info("ingest.folder-settled", { touched: touched.length, gone: gone.length });
  }
  const now = Date.now();
  return [...seen.values()].some(({ mtimeMs }) => Math.abs(now - mtimeMs) < QUIET_MS);
}

async function takeTouched(folder: FolderCore, path: string, stamp: Stamp | undefined) {
  const { files, dirty } = folder;
  const hash = await hashFile(path, folder.signal);
  const known = files.get(path);
  if (known) dirty.add(known.hash);
  if (known && stamp && hash === known.hash) files.set(path, { ...known, ...stamp });
  else if (stamp && hash !== undefined) await take(folder, path, { stamp, hash });
  folder.waiting -= 1;
}

/** Adds the file, unless the knowledge base has its content. The entry says how it went. */
async function take(
  folder: FolderCore,
  path: string,
  { stamp, hash }: { readonly stamp: Stamp; readonly hash: string },
): Promise<void> {
  const { files, documents } = folder;
  const change = files.has(path) ? "changed" : "added";
  const present = await documents.findByHash(hash);
  if (present) {
    files.set(path, { ...stamp, hash });
    folder.onFile?.({ path, change: "present" });
    return;
  }
  const outcome = await addFile(path, folder);
  if (outcome.kind === "later") return;
  if (outcome.kind === "gone") files.delete(path);
  else {
    const { refused: reason, isPlain } = outcome.entry;
    files.set(path, { ...stamp, hash: outcome.hash ?? hash, ...outcome.entry });
    if (isPlain) return;
    folder.onFile?.(reason === undefined ? { path, change } : { path, change: "failed", reason });
  }
}

/** After the adds: a content that left goes, one that stays is held under a path that exists. */
async function tidyUp(folder: FolderCore, hash: string): Promise<void> {
  const { root, files, documents } = folder;
  const holds = ({ hash: held, refused }: LedgerEntry) => held === hash && !refused;
  const holders = [...files].filter(([, entry]) => holds(entry)).map(([path]) => path);
  const document = await documents.findByHash(hash);
  const isOurs = document?.sourcePath?.startsWith(`${root}${sep}`) === true;
  const [holder] = holders;
  if (holder !== undefined && !document) {
    const entry = files.get(holder);
    if (entry) await take(folder, holder, { stamp: entry, hash });
  } else if (document && isOurs && holder === undefined) {
    const remove = () => documents.remove(document.id, "left-folder");
    await change(folder, "folder-remove", { document, work: remove });
  } else if (document && isOurs && holder && !holders.includes(document.sourcePath ?? "")) {
    const adopt = () => documents.adopt(document.id, { sourcePath: holder, metadata: {} });
    await change(folder, "folder-move", { document, work: adopt });
  }
}

function change(
  { perform }: FolderCore,
  did: "folder-remove" | "folder-move",
  { document, work }: { readonly document: StoredDocument; readonly work: Work },
) {
  const to = { document_id: document.id, file: document.filename };
  return perform(backgroundAct(did, to), work);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}

type Work = () => Promise<unknown>;

type Added =
  | { readonly kind: "gone" }
  /** It cannot be read now: its entry stays as it was, so that the next look tries again. */
  | { readonly kind: "later" }
  | { readonly kind: "done"; readonly hash?: string; readonly entry: Refusal };

type Refusal = Pick<LedgerEntry, "refused" | "isPlain">;

async function addFile(
  path: string,
  { root, ingest, metadata = {}, signal, perform }: FolderOptions,
): Promise<Added> {
  const add = async () => {
    const source = { kind: "file", path, within: root } as const;
    const { task } = await ingest.enqueue(source, { metadata, forceOcr: false, signal });
    return ingest.finish(task.id, { signal });
  };
  const act = backgroundAct("folder-add", { file: basename(path) });
  try {
    const task = await perform(act, add, endOf);
    if (STORE_TROUBLE.has(task.failure?.error.toUpperCase() ?? "")) {
      throw new KnowledgeError("STORE_UNAVAILABLE", task.failure?.message ?? "");
    }
    return { kind: "done", hash: task.request.contentHash, entry: refusal(path, task) };
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toKnowledgeError(thrown);
    if (error.code === "FILE_NOT_FOUND") return { kind: "gone" };
    if (error.code === "FILE_UNAVAILABLE") return { kind: "later" };
    if (STORE_TROUBLE.has(error.code) || error.code === "INTERNAL") throw error;
    return { kind: "done", entry: refusedFor(path, { error: error.code, message: error.message }) };
  }
}

/** The store, a disk or the audit log is in trouble: the file is tried again at the next look. */
const STORE_TROUBLE: ReadonlySet<string> = new Set([
  "STORE_FULL",
  "STORE_UNAVAILABLE",
  "AUDIT_UNAVAILABLE",
  "OVERLOADED",
  "SYSTEM_UNAVAILABLE",
]);

function endOf({ id, status, failure, result }: Task): ActEnd {
  const to: Target = {
    task_id: id,
    ...(result?.documentId ? { document_id: result.documentId } : {}),
  };
  return status === "completed" ? { to } : { to, error: failure?.error ?? status };
}

function refusal(path: string, task: Task): Refusal {
  if (task.status === "completed") return {};
  return refusedFor(path, task.failure ?? { error: "", message: task.status });
}

function refusedFor(path: string, { error, message }: TaskFailure): Refusal {
  return { refused: message, ...(isPlainPicture(path, error) ? { isPlain: true } : {}) };
}

async function hashFile(path: string, signal: AbortSignal): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path), hash, { signal });
    return hash.digest("hex");
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const lane = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
