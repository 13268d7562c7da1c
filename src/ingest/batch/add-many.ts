// One task for many files: those of a folder, an archive or a source are added one by one, under its lease. What has been
// stored stays if a later file fails; after a crash the stored files are counted and not added again.
import { defined } from "../../domain/defined.ts";
import type { Metadata } from "../../domain/document.ts";
import { isOutage, type KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { isPlainPicture } from "../../domain/format-name.ts";
import { type Message, toMessage } from "../../domain/phrases/messages.ts";
import {
  type AddRequest,
  type DocumentResult,
  type FileFailure,
  type FolderCounts,
  type FolderReport,
  type LeftOutCounts,
  type TaskProgress,
  toTaskFailure,
} from "../../domain/task.ts";
import type { Store } from "../../store/store.ts";
import { type AddLease, type AddParts, addDocument } from "../add/add-document.ts";
import type { IngestOptions } from "../ingest.ts";
import { type Accept, type Accepted, requestFor } from "../intake/intake.ts";
import { inBackground, taskTarget } from "../queue/background.ts";
import type { Lease } from "../queue/run-task.ts";
import type { Lanes } from "./limit-concurrency.ts";
import { archiveMembers, folderMembers } from "./members.ts";

export interface ManyParts
  extends AddParts,
    Pick<IngestOptions, "perform" | "web" | "s3" | "maxFileBytes" | "sourcesDir"> {
  readonly accept: Accept;
  readonly lanes: Lanes;
}

/** One file of a folder, archive or source. */
export interface Member {
  /** The file's path inside the folder, archive or source. */
  readonly name: string;
  /** For its document, beside the task's own. */
  readonly metadata?: Metadata;
  /** Undefined if it has not changed. */
  take(signal: AbortSignal): Promise<Accepted | undefined>;
  /** Called when its document is stored, or when it failed. */
  ended?(end: { readonly file?: Accepted["file"]; readonly error?: KnowledgeError }): Promise<void>;
}

export interface Members {
  /** A source finds them one by one. */
  readonly members: readonly Member[] | AsyncIterable<Member>;
  readonly leftOut?: LeftOutCounts;
  /** What is left to do when all have been added. */
  finish?(report: FolderReport): Promise<void>;
  /** Call it once all files have been taken. */
  close(): Promise<void>;
}

const MAX_FAILURES = 20;

/** A folder or archive that is being added. */
interface Adding extends ManyParts {
  readonly lease: Lease;
  readonly counts: { -readonly [Outcome in keyof FolderCounts]: number };
  /** The first failures: enough to see what is wrong, without flooding the reply if everything fails. */
  readonly failures: FileFailure[];
  /** Documents that are already counted, because a folder may contain a file twice. */
  readonly seen: Set<string>;
  /** Progress of the current files, 0 to 1. */
  readonly underway: Map<string, number>;
  chunks: number;
}

export async function addMany(lease: Lease, parts: ManyParts): Promise<void> {
  const { task, signal, worker } = lease;
  lease.report({ ...task.progress, currentStep: [toMessage("lookingForFiles")] });
  const { members, leftOut, finish, close } = await openMembers(lease, parts);
  const adding: Adding = {
    ...parts,
    lease,
    counts: { found: 0, added: 0, unchanged: 0, failed: 0, skipped: 0 },
    failures: [],
    seen: new Set(),
    underway: new Map(),
    chunks: 0,
  };
  const isListed = Array.isArray(members);
  if (isListed) adding.counts.found = members.length;
  const add = (member: Member) => {
    if (!isListed) adding.counts.found += 1;
    return addMember(member, adding);
  };
  await parts.lanes.each(members, signal, add).finally(close);
  signal.throwIfAborted();
  const { filename, contentHash } = task.request;
  const folder = { ...adding.counts, failures: adding.failures, ...defined({ leftOut }) };
  await finish?.(folder);
  const result = { filename, chunksCreated: adding.chunks, alreadyPresent: false, folder };
  const ended = await parts.store.tasks.complete(task.id, worker, result);
  if (ended === "lease-lost") lease.stop("lost");
  else await discardBytes(adding, { contentHash });
}

async function openMembers(lease: Lease, parts: ManyParts): Promise<Members> {
  const { signal } = lease;
  const { request } = lease.task;
  if (request.many === "source") {
    const { sourceMembers } = await import("../sources/sync.ts");
    return sourceMembers(lease, parts);
  }
  if (request.many === "archive") return archiveMembers(request, parts);
  return { ...(await folderMembers(request, parts, signal)), close: async () => {} };
}

async function addMember(member: Member, adding: Adding): Promise<void> {
  const { lease, underway } = adding;
  const { signal } = lease;
  signal.throwIfAborted();
  underway.set(member.name, 0);
  try {
    await addTaken(member, adding);
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toKnowledgeError(thrown);
    countFailure(member, error, adding);
    await member.ended?.({ error });
  } finally {
    underway.delete(member.name);
  }
  lease.report(progressOf(member, [toMessage("fileDone")], adding));
}

async function addTaken(member: Member, adding: Adding): Promise<void> {
  const { lease, store, seen } = adding;
  const taken = await member.take(lease.signal);
  if (taken === undefined) {
    adding.counts.unchanged += 1;
    return;
  }
  try {
    const part = leaseFor(member, taken, adding);
    const result = await inBackground(adding.perform, "document-store", {
      target: taskTarget(part.task),
      work: () => addDocument(part, adding),
      signal: lease.signal,
    });
    // Nothing referred to its bytes until now, so a removal of the same content may have deleted them.
    await taken.ensureStored();
    if (result === undefined) return;
    const isNew = !seen.has(result.documentId) && (await isAddedByTask(result, lease, store));
    seen.add(result.documentId);
    if (isNew) adding.chunks += result.chunksCreated;
    adding.counts[isNew ? "added" : "unchanged"] += 1;
    await member.ended?.({ file: taken.file });
  } catch (thrown) {
    await discardBytes(adding, taken.file);
    throw thrown;
  } finally {
    await taken.release();
  }
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

/** The folder's lease, narrowed to one of its files. */
function leaseFor(member: Member, { file }: Accepted, adding: Adding): AddLease {
  const { lease, underway } = adding;
  const { task } = lease;
  const metadata = { ...task.request.metadata, ...member.metadata };
  return {
    ...lease,
    isPart: true,
    task: { ...task, request: requestFor(file, { ...task.request, metadata }) },
    report({ currentStep, fraction }) {
      underway.set(member.name, fraction);
      lease.report(progressOf(member, currentStep, adding));
    },
  };
}

function progressOf(
  { name }: Member,
  step: readonly Message[],
  { counts, underway }: Adding,
): TaskProgress {
  const folder = { ...counts };
  const { found, added, unchanged, failed, skipped } = folder;
  const done = added + unchanged + failed + skipped;
  const partly = [...underway.values()].reduce((sum, each) => sum + each, 0);
  return {
    currentStep: [toMessage("file", Math.min(done + 1, found), found, name), ...step],
    completedSteps: done,
    totalSteps: found,
    fraction: found === 0 ? 1 : Math.round(((done + partly) / found) * 1000) / 1000,
    folder,
  };
}

/** Counts a file's own failure; after an outage the task is returned to the queue. */
function countFailure(
  { name }: Member,
  error: KnowledgeError,
  { counts, failures, log, lease }: Adding,
): void {
  const { code } = error;
  if (isOutage(code)) throw error;
  if (code === "INTERNAL") log.error("ingest.failed", { task: lease.task.id, error });
  if (code === "FILE_NOT_FOUND" || isPlainPicture(name, code)) counts.skipped += 1;
  else {
    counts.failed += 1;
    if (failures.length < MAX_FAILURES) failures.push({ file: name, ...toTaskFailure(error) });
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
