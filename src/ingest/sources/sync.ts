// One task for many documents: the items of a folder, archive or source are added one by one, under its lease. What has
// been stored stays if a later item fails; after a crash the stored ones are counted and not added again.
import { defined } from "../../domain/defined.ts";
import { isOutage, KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { isPlainPicture } from "../../domain/format-name.ts";
import { type Message, toMessage } from "../../domain/phrases/messages.ts";
import {
  type AddRequest,
  type DocumentResult,
  type FileFailure,
  type FolderCounts,
  type LeftOutCounts,
  type Task,
  type TaskProgress,
  toTaskFailure,
} from "../../domain/task.ts";
import type { Store } from "../../store/store.ts";
import { type AddLease, type AddParts, addDocument } from "../add/add-document.ts";
import type { IngestOptions } from "../ingest.ts";
import { type Accepted, requestFor } from "../intake/intake.ts";
import type { PathGateOptions } from "../intake/path-gate.ts";
import { inBackground, taskTarget } from "../queue/background.ts";
import type { Lease } from "../queue/run-task.ts";
import type { Closers, Found, FoundItem, SourceParts } from "./kind.ts";
import type { Lanes } from "./lanes.ts";
import type { ItemChange, Ledger } from "./ledger.ts";

export interface SyncParts
  extends AddParts,
    SourceParts,
    PathGateOptions,
    Pick<IngestOptions, "perform"> {
  readonly lanes: Lanes;
  /** Called for each item of a source that was added, changed, removed or refused. */
  readonly onItem: (change: ItemChange) => void;
}

type Listed = Exclude<Found, { kind: "cut" | "total" | "gone" }>;

const MAX_FAILURES = 20;

interface Sync extends SyncParts {
  readonly lease: Lease;
  /** Of a source; a folder or archive that is added once has none. */
  readonly ledger: Ledger | undefined;
  readonly counts: { -readonly [Outcome in keyof FolderCounts]: number };
  /** The first failures: enough to see what is wrong, without flooding the reply if everything fails. */
  readonly failures: FileFailure[];
  /** Documents that are already counted, because a folder may contain a file twice. */
  readonly seen: Set<string>;
  /** Progress of the current items, 0 to 1. */
  readonly underway: Map<string, number>;
  chunks: number;
  /** How many items there will be is known. */
  isTotal: boolean;
  leftOut?: LeftOutCounts;
}

export async function syncTask(lease: Lease, parts: SyncParts): Promise<void> {
  if (lease.task.request.many === "page") return addPage(lease, parts);
  const open: Closers = [];
  try {
    await syncOpen(lease, parts, open);
  } finally {
    for (const close of open.toReversed()) await close();
  }
}

/** Its document ends the task, as that of a single file does. */
async function addPage(lease: Lease, parts: SyncParts): Promise<void> {
  const { task, signal } = lease;
  const { takePage } = await import("./site/page.ts");
  const taken = await takePage(task.request, parts, signal);
  await storeTaken(taken, { ...lease, task: taskFor(taken, task) }, parts);
  await discardBytes(parts, { contentHash: task.request.contentHash });
}

function taskFor({ file }: Accepted, task: Task, metadata = task.request.metadata): Task {
  return { ...task, request: requestFor(file, { ...task.request, metadata }) };
}

/** Adds what was taken, and leaves nothing of it if that fails. */
async function storeTaken(taken: Accepted, lease: AddLease, parts: SyncParts) {
  try {
    const result = await inBackground(parts.perform, "document-store", {
      target: taskTarget(lease.task),
      work: () => addDocument(lease, parts),
      signal: lease.signal,
    });
    // Nothing referred to its bytes until now, so a removal of the same content may have deleted them.
    await taken.ensureStored();
    return result;
  } catch (thrown) {
    await discardBytes(parts, taken.file);
    throw thrown;
  } finally {
    await taken.release();
  }
}

async function syncOpen(lease: Lease, parts: SyncParts, open: Closers): Promise<void> {
  const { task, signal, worker } = lease;
  lease.report({ ...task.progress, currentStep: [toMessage("lookingForFiles")] });
  const isSource = task.request.many === "source";
  const ledger = isSource
    ? await (await import("./ledger.ts")).openLedger(lease, parts, open)
    : undefined;
  const sync: Sync = {
    ...{ ...parts, lease, ledger, isTotal: false, chunks: 0 },
    counts: { found: 0, added: 0, unchanged: 0, failed: 0, skipped: 0 },
    ...{ failures: [], seen: new Set(), underway: new Map() },
  };
  await parts.lanes.each(listItems(sync, open), signal, (found) => addItem(found, sync));
  signal.throwIfAborted();
  const { filename, contentHash } = task.request;
  const { counts, failures, leftOut, chunks: chunksCreated } = sync;
  const folder = { ...counts, failures, ...defined({ leftOut }) };
  await ledger?.finish(folder);
  const result = { filename, chunksCreated, alreadyPresent: false, folder };
  const ended = await parts.store.tasks.complete(task.id, worker, result);
  if (ended === "lease-lost") lease.stop("lost");
  else await discardBytes(sync, { contentHash });
}

async function* listItems(sync: Sync, open: Closers): AsyncGenerator<Listed> {
  const { lease, ledger, counts } = sync;
  for await (const found of ledger?.list() ?? listOnce(lease, sync, open)) {
    if (found.kind === "total") {
      counts.found = found.count;
      Object.assign(sync, { isTotal: true, ...defined({ leftOut: found.leftOut }) });
    } else if (found.kind !== "cut" && found.kind !== "gone") {
      if (!sync.isTotal) counts.found += 1;
      yield found;
    }
  }
}

async function* listOnce(
  { task: { request }, signal }: Lease,
  parts: SyncParts,
  open: Closers,
): AsyncGenerator<Found> {
  if (request.many === "archive") {
    const { listArchive } = await import("./archive.ts");
    return yield* listArchive(request, parts, open);
  }
  const { listFolder } = await import("./folder/folder.ts");
  yield* listFolder({ root: request.sourcePath ?? "", signal }, parts);
}

async function addItem(found: Listed, sync: Sync): Promise<void> {
  const { lease, underway, counts } = sync;
  const { signal } = lease;
  signal.throwIfAborted();
  underway.set(found.item, 0);
  try {
    if (found.kind === "same") counts.unchanged += 1;
    else if (found.kind === "item") await addTaken(found, sync);
    else countFailure(found, new KnowledgeError("FILE_UNAVAILABLE", found.problem), sync);
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toKnowledgeError(thrown);
    countFailure(found, error, sync);
    if (found.kind === "item") await sync.ledger?.ended(found, { error });
  } finally {
    underway.delete(found.item);
  }
  lease.report(progressOf(found, [toMessage("fileDone")], sync));
}

async function addTaken(found: FoundItem, sync: Sync): Promise<void> {
  const { lease, store, seen, ledger } = sync;
  const taken = await (ledger ? ledger.take(found, lease.signal) : found.take(lease.signal));
  if (taken === undefined) {
    sync.counts.unchanged += 1;
    return;
  }
  const result = await storeTaken(taken, leaseFor(found, taken, sync), sync);
  if (result === undefined) return;
  const isNew = !seen.has(result.documentId) && (await isAddedByTask(result, lease, store));
  seen.add(result.documentId);
  if (isNew) sync.chunks += result.chunksCreated;
  sync.counts[isNew ? "added" : "unchanged"] += 1;
  await ledger?.ended(found, { file: taken.file, isPresent: result.alreadyPresent });
}

/** True if the document was stored now, or by this task before it was interrupted. */
async function isAddedByTask(
  { documentId, alreadyPresent }: DocumentResult,
  { task }: Lease,
  store: Store,
): Promise<boolean> {
  if (!alreadyPresent) return true;
  const document = await store.documents.get(documentId);
  return document !== undefined && document.dateAdded >= task.createdAt;
}

/** The task's lease, narrowed to one of its items. */
function leaseFor(found: FoundItem, taken: Accepted, sync: Sync): AddLease {
  const { lease, underway, ledger } = sync;
  const metadata = { ...lease.task.request.metadata, ...ledger?.metadata, ...found.metadata };
  return {
    ...lease,
    isPart: true,
    task: taskFor(taken, lease.task, metadata),
    report({ currentStep, fraction }) {
      underway.set(found.item, fraction);
      lease.report(progressOf(found, currentStep, sync));
    },
  };
}

type Named = Pick<FoundItem, "item">;

function progressOf(
  { item }: Named,
  step: readonly Message[],
  { counts, underway }: Sync,
): TaskProgress {
  const folder = { ...counts };
  const { found, added, unchanged, failed, skipped } = folder;
  const done = added + unchanged + failed + skipped;
  const partly = [...underway.values()].reduce((sum, each) => sum + each, 0);
  return {
    currentStep: [toMessage("file", Math.min(done + 1, found), found, item), ...step],
    completedSteps: done,
    totalSteps: found,
    fraction: found === 0 ? 1 : Math.round(((done + partly) / found) * 1000) / 1000,
    folder,
  };
}

/** Counts an item's own failure; after an outage the task is returned to the queue. */
function countFailure(
  { item }: Named,
  error: KnowledgeError,
  { counts, failures, log, lease }: Sync,
): void {
  const { code } = error;
  if (isOutage(code)) throw error;
  if (code === "INTERNAL") log.error("ingest.failed", { task: lease.task.id, error });
  if (code === "FILE_NOT_FOUND" || isPlainPicture(item, code)) counts.skipped += 1;
  else {
    counts.failed += 1;
    if (failures.length < MAX_FAILURES) failures.push({ file: item, ...toTaskFailure(error) });
  }
}

/** Removes the stored bytes of a file that did not become a document, or the note of a finished folder. */
async function discardBytes({ store, log }: AddParts, file: DiscardedFile): Promise<void> {
  const { contentHash, filename, sourcePath } = file;
  const note = filename && { why: "failed" as const, filename, ...defined({ sourcePath }) };
  await store.originals
    .discard(contentHash, new Date().toISOString(), note || undefined)
    .catch((error: unknown) => log.warn("ingest.discard-failed", { error }));
}

type DiscardedFile = Pick<AddRequest, "contentHash"> & Partial<Accepted["file"]>;
