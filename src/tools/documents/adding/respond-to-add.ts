// What every add returns: a task to follow, or the document when it can be searched.

import type { StoredDocument } from "../../../domain/document.ts";
import { KnowledgeError } from "../../../domain/errors.ts";
import { stepsToEnglish } from "../../../domain/phrases/messages.ts";
import type {
  DocumentResult,
  FolderReport,
  FolderResult,
  LeftOutCounts,
  Task,
  TaskProgress,
} from "../../../domain/task.ts";
import type { Queued as QueuedTask } from "../../../ingest/ingest.ts";
import { count } from "../../../text/english/count.ts";
import type { CallContext, ToolOutput, ToolProgress } from "../../tool.ts";
import type { Added, AddedFolder, Queued } from "../contract.ts";
import { fromFailure, respond, toSeconds, toWarnings } from "../payload.ts";
import type { DocumentRooms } from "../rooms.ts";

interface Adding {
  readonly queued: QueuedTask;
  readonly isAsync: boolean;
  readonly rooms: DocumentRooms;
  readonly context: CallContext;
}

/** Who adds, and how they stop it. */
export function from({ principal, signal }: CallContext) {
  return { caller: principal.name, signal };
}

export async function respondToAdd(
  adding: Adding,
): Promise<ToolOutput<Queued | Added | AddedFolder>> {
  const { queued, isAsync, rooms, context } = adding;
  const { id } = queued.task;
  const startedAt = performance.now();
  const ingest = await rooms.ingest();
  if (isAsync) {
    ingest.watch(id, (progress) => context.taskProgress(id, toToolProgress(progress)));
    return respond(toQueued(queued));
  }
  const ended = await ingest.finish(id, {
    signal: context.signal,
    onProgress: (step) => context.progress(toToolProgress(step)),
  });
  return respond(await addedBy(ended, rooms, performance.now() - startedAt));
}

export function toQueued(queued: QueuedTask): Queued {
  const { task, estimatedSeconds, present, found, left, leftOut } = queued;
  return {
    success: true,
    task_id: task.id,
    message: found === undefined ? "Document queued for processing" : queuedFiles(found, left),
    ...(found === undefined ? {} : { folder: { found, ...toLeftOut(leftOut) } }),
    estimated_time_seconds: estimatedSeconds,
    ...(present === undefined ? {} : { already_present: true, document_id: present.id }),
  };
}

function queuedFiles(found: number, left: string | undefined): string {
  const queued = `${count(found, "file")} queued for processing`;
  return left === undefined ? queued : `${queued}. ${left}`;
}

/** The result of an add that waits; throws its error if it failed. */
export async function addedBy(
  { result, failure }: Task,
  rooms: DocumentRooms,
  tookMs: number,
): Promise<Added | AddedFolder> {
  if (failure !== undefined) throw fromFailure(failure);
  if (result === undefined) throw new KnowledgeError("CANCELLED", "The add was cancelled.");
  if (result.folder !== undefined) return toAddedFolder(result, tookMs);
  const document = await (await rooms.store()).documents.get(result.documentId);
  return toAdded(result, document, tookMs);
}

function toAddedFolder({ filename, chunksCreated, folder }: FolderResult, tookMs: number) {
  return {
    success: true,
    filename,
    chunks_created: chunksCreated,
    processing_time_seconds: toSeconds(tookMs),
    folder: toFolder(folder),
  } as const;
}

/** The outcome for a folder's files, in the contract's form. */
export function toFolder({ leftOut, ...report }: FolderReport) {
  return { ...report, failures: [...report.failures], ...toLeftOut(leftOut) };
}

function toLeftOut(leftOut: LeftOutCounts | undefined) {
  return leftOut === undefined ? {} : { left_out: leftOut };
}

function toAdded(
  { documentId, filename, chunksCreated, alreadyPresent }: DocumentResult,
  document: StoredDocument | undefined,
  tookMs: number,
): Added {
  return {
    success: true,
    document_id: documentId,
    filename,
    chunks_created: chunksCreated,
    processing_method: document?.method ?? "text_extraction",
    processing_time_seconds: toSeconds(tookMs),
    ...(alreadyPresent ? { already_present: true } : {}),
    ...(document && document.warnings.length > 0 && toWarnings(document.warnings)),
  };
}

function toToolProgress({ fraction, currentStep }: TaskProgress): ToolProgress {
  return { progress: fraction, total: 1, message: stepsToEnglish(currentStep) };
}
