// What every add returns: a task to follow, or the document when it can be searched.
import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { isSeen } from "../../domain/call/sight.ts";
import { defined } from "../../domain/defined.ts";
import type { Metadata } from "../../domain/document.ts";
import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { stepsToEnglish } from "../../domain/phrases/messages.ts";
import {
  type AddRequest,
  type DocumentResult,
  type FolderReport,
  fromTaskFailure,
  KEEP_TASKS_MS,
  type Task,
  type TaskProgress,
} from "../../domain/task.ts";
import type { Ingest, Queued as QueuedTask } from "../../ingest/ingest.ts";
import { count } from "../../text/english/count.ts";
import type { TaskView } from "../family.ts";
import type { CallContext, ToolOutput, ToolProgress } from "../tool.ts";
import type { Added, AddedFolder, Queued } from "./contract.ts";
import { type DocumentRooms, respond, scopeOf, toError, toSeconds, toWarnings } from "./tool.ts";

interface AddArguments {
  readonly scope?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly force_ocr?: boolean;
  readonly async: boolean;
}

export async function respondToAdd(
  rooms: DocumentRooms,
  source: Parameters<Ingest["enqueue"]>[0],
  { args, context }: { readonly args: AddArguments; readonly context: CallContext },
): Promise<ToolOutput<Queued | Added | AddedFolder>> {
  const { metadata = {}, force_ocr: forceOcr = false, async: isAsync } = args;
  const { principal, signal } = context;
  const scope = await writable(rooms, context, args.scope);
  const ingest = await rooms.ingest();
  const caller = principal.name;
  const queued = await ingest.enqueue(source, { metadata, forceOcr, caller, signal, ...scope });
  const { id } = queued.task;
  const isOwn = isSeen(scope.scope ?? GENERAL_SCOPE, await rooms.sights.of(context));
  if (isAsync || !isOwn) {
    // Its speed would show whether the scope already has it.
    ingest.watch(id, (progress) => {
      if (isOwn) context.taskProgress(id, toToolProgress(progress));
    });
    return respond(toQueued(queued));
  }
  const startedAt = performance.now();
  const onProgress = (step: TaskProgress) => context.progress(toToolProgress(step));
  const ended = await ingest.finish(id, { signal, onProgress });
  return respond(await addedBy(ended, rooms, performance.now() - startedAt));
}

/** Where an add goes: the caller must see the scope, unless it may only write, and may write in it. */
export async function writable(
  { sights }: DocumentRooms,
  who: Pick<CallContext, "principal">,
  scope: string | undefined,
): Promise<Pick<AddRequest, "scope">> {
  const right = isSeen(scope ?? GENERAL_SCOPE, await sights.of(who)) ? "read" : "write";
  const [id = GENERAL_SCOPE] = scope === undefined ? [] : await sights.chain(who, scope, right);
  await sights.allow(who, "write", id);
  return id === GENERAL_SCOPE ? {} : { scope: id };
}

export function toQueued(queued: QueuedTask): Queued {
  const { task, estimatedSeconds, present, found, left, leftOut } = queued;
  return {
    success: true,
    task_id: task.id,
    message: found === undefined ? "Document queued for processing" : queuedFiles(found, left),
    ...(found !== undefined && { folder: { found, ...defined({ left_out: leftOut }) } }),
    estimated_time_seconds: estimatedSeconds,
    ...(present && { already_present: true, document_id: present.id }),
  };
}

function queuedFiles(found: number, left: string | undefined): string {
  const queued = `${count(found, "file")} queued for processing`;
  return left === undefined ? queued : `${queued}. ${left}`;
}

function toToolProgress({ fraction, currentStep }: TaskProgress): ToolProgress {
  const message = stepsToEnglish(currentStep);
  return { progress: fraction, total: 1, message, steps: currentStep };
}

/** The result of an add that waits; throws its error if it failed. */
async function addedBy(
  { result, failure }: Task,
  rooms: DocumentRooms,
  tookMs: number,
): Promise<Added | AddedFolder> {
  if (failure !== undefined) throw fromTaskFailure(failure);
  if (result === undefined) throw new KnowledgeError("CANCELLED", "The add was cancelled.");
  if (result.folder === undefined) return toAdded(result, rooms, tookMs);
  return {
    success: true,
    filename: result.filename,
    chunks_created: result.chunksCreated,
    processing_time_seconds: toSeconds(tookMs),
    folder: toFolder(result.folder),
  };
}

/** The outcome for a folder's files, in the contract's form. */
export function toFolder({ leftOut, ...report }: FolderReport) {
  return { ...report, failures: [...report.failures], ...defined({ left_out: leftOut }) };
}

async function toAdded(
  { documentId, filename, chunksCreated, alreadyPresent }: DocumentResult,
  rooms: DocumentRooms,
  tookMs: number,
): Promise<Added> {
  const document = await (await rooms.store()).documents.get(documentId);
  return {
    success: true,
    document_id: documentId,
    filename,
    chunks_created: chunksCreated,
    processing_method: document?.method ?? "text_extraction",
    processing_time_seconds: toSeconds(tookMs),
    ...(alreadyPresent && { already_present: true }),
    ...(document && document.warnings.length > 0 && toWarnings(document.warnings)),
  };
}

/** Returns how the add then is. Rejects if the caller may not write where it goes. */
export async function cancelAdd(
  rooms: DocumentRooms,
  who: Pick<CallContext, "principal">,
  taskId: string,
): Promise<Task["status"]> {
  const ingest = await rooms.ingest();
  const { request } = await ingest.task(taskId);
  await rooms.sights.allow(who, "write", scopeOf(request));
  return (await ingest.cancel(taskId)).status;
}

/** An add as a protocol task: its progress, and at the end what a waiting call would have returned. */
export async function viewTask(
  rooms: DocumentRooms,
  taskId: string,
): Promise<TaskView | undefined> {
  const task = await findTask(await rooms.ingest(), taskId);
  if (task === undefined) return undefined;
  const { id, status, createdAt, startedAt, finishedAt, progress } = task;
  const updatedAt = finishedAt ?? startedAt ?? createdAt;
  const view = { id, createdAt, updatedAt, keptMs: KEEP_TASKS_MS };
  if (status === "cancelled") return { ...view, status, message: "Cancelled" };
  if (status === "queued") return { ...view, status: "working", message: "Queued" };
  if (status === "running") {
    const percent = Math.round(progress.fraction * 100);
    const message = `${stepsToEnglish(progress.currentStep)} (${percent}%)`;
    return { ...view, status: "working", message };
  }
  const message = status === "failed" ? "Failed" : "Completed";
  return { ...view, status: "ended", message, output: await outputOf(task, rooms) };
}

async function findTask(ingest: Ingest, taskId: string): Promise<Task | undefined> {
  try {
    return await ingest.task(taskId);
  } catch (thrown) {
    if (toKnowledgeError(thrown).code === "TASK_NOT_FOUND") return undefined;
    throw thrown;
  }
}

async function outputOf(task: Task, rooms: DocumentRooms): Promise<ToolOutput> {
  const began = Date.parse(task.startedAt ?? task.createdAt);
  const tookMs = Date.parse(task.finishedAt ?? task.createdAt) - began;
  try {
    return respond(await addedBy(task, rooms, tookMs));
  } catch (thrown) {
    return { ...respond(toError(toKnowledgeError(thrown))), isError: true };
  }
}
