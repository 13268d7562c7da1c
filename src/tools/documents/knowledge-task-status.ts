import { stepsToEnglish } from "../../domain/phrases/messages.ts";
import { estimateSeconds, type Task, WAITING } from "../../domain/task.ts";
import { KNOWLEDGE_TASK_STATUS, type ListedTask, type TaskPayload } from "./contract.ts";
import { toFolder } from "./respond-to-add.ts";
import { type DocumentRooms, documentsTool, respond, toSeconds, toWarnings } from "./tool.ts";

export function knowledgeTaskStatus(rooms: DocumentRooms) {
  return documentsTool(rooms, {
    contract: KNOWLEDGE_TASK_STATUS,
    title: "Status of an add",
    effect: "read",
    description:
      "Get status of an async processing task: queued, running, completed, failed or cancelled. Completed means that knowledge-search can find the document. Wait a second or more between calls.",
    run: async ({ task_id }, _context, seen) =>
      respond(toTaskPayload(await (await seen.ingest()).task(task_id))),
  });
}

// A task is only ever failed with its reason; a row that lost it still gets a message.
const UNKNOWN = { error: "internal", message: "The add failed; the reason was not recorded." };

export function toTaskPayload(task: Task, now = Date.now()): TaskPayload {
  const began = Date.parse(task.startedAt ?? task.createdAt);
  const elapsedMs = (task.finishedAt === undefined ? now : Date.parse(task.finishedAt)) - began;
  const { id: task_id, status, progress } = task;
  const elapsed = { elapsed_time_seconds: toSeconds(elapsedMs) };
  switch (status) {
    case "queued":
    case "running": {
      const { fraction, currentStep, completedSteps, totalSteps } =
        status === "queued" ? WAITING : progress;
      return {
        success: true,
        task_id,
        status,
        progress: fraction,
        current_step: stepsToEnglish(currentStep),
        step_codes: [...currentStep],
        completed_steps: completedSteps,
        total_steps: totalSteps,
        ...elapsed,
        estimated_remaining_seconds: toSeconds(remainingMs(task, elapsedMs)),
        ...(status === "running" && progress.folder ? { folder: progress.folder } : {}),
      };
    }
    case "completed":
      return {
        success: true,
        task_id,
        status,
        progress: 1,
        ...(task.result === undefined ? {} : { result: toResult(task.result) }),
        total_time_seconds: toSeconds(elapsedMs),
      };
    case "failed":
      return { success: false, task_id, status, ...(task.failure ?? UNKNOWN), ...elapsed };
    case "cancelled":
      return { success: true, task_id, status, ...toCancelled(task), ...elapsed };
  }
}

export function toListedTask(task: Task): ListedTask {
  const { request, createdAt } = task;
  return { ...toTaskPayload(task), filename: request.filename, created_at: createdAt };
}

function toCancelled({ progress: { folder } }: Task) {
  if (folder === undefined) return { message: "Task cancelled" };
  return { message: "Task cancelled; files added before that stay", folder };
}

function toResult(result: NonNullable<Task["result"]>) {
  const { documentId, filename, chunksCreated, alreadyPresent, warnings, folder } = result;
  return {
    ...(documentId === undefined ? {} : { document_id: documentId }),
    ...(folder === undefined ? {} : { folder: toFolder(folder) }),
    filename,
    chunks_created: chunksCreated,
    ...(alreadyPresent ? { already_present: true } : {}),
    ...(warnings && toWarnings(warnings)),
  };
}

/** From the rate so far; before that, from the file's size and format. */
function remainingMs({ status, progress: { fraction }, request }: Task, elapsedMs: number): number {
  if (status === "running" && fraction > 0) return (elapsedMs * (1 - fraction)) / fraction;
  const expectedMs = estimateSeconds(request, { ahead: 0, reader: "light" }) * 1_000;
  return status === "queued" ? expectedMs : Math.max(1_000, expectedMs - elapsedMs);
}
