import { type Task, TOTAL_STEPS } from "../../domain/task.ts";
import { defineTool, type Tool } from "../tool.ts";
import { KNOWLEDGE_TASK_STATUS, type ListedTask, type TaskPayload } from "./contract.ts";
import { answer, toError, toSeconds } from "./payload.ts";
import type { DocumentRooms } from "./rooms.ts";

export function knowledgeTaskStatus(rooms: DocumentRooms): Tool {
  return defineTool({
    contract: KNOWLEDGE_TASK_STATUS,
    title: "Status of an add",
    family: "documents",
    effect: "read",
    description:
      "Get status of an async processing task: queued, running, completed, failed or cancelled. Completed means that the document can be found by knowledge-search. Wait a second or more between calls.",
    toError,
    run: async ({ task_id }) => answer(toTaskPayload(await (await rooms.ingest()).task(task_id))),
  });
}

// A task is only ever failed with its reason; a row that lost it still has an answer.
const UNKNOWN = { error: "internal", message: "The add failed for a reason that was not kept." };

export function toTaskPayload(task: Task, now = Date.now()): TaskPayload {
  const began = Date.parse(task.startedAt ?? task.createdAt);
  const elapsedMs = (task.finishedAt === undefined ? now : Date.parse(task.finishedAt)) - began;
  const { id: task_id, status, progress } = task;
  const elapsed = { elapsed_time_seconds: toSeconds(elapsedMs) };
  switch (status) {
    case "queued":
      return {
        success: true,
        task_id,
        status,
        progress: 0,
        current_step: "Queued",
        completed_steps: 0,
        total_steps: TOTAL_STEPS,
        ...elapsed,
      };
    case "running":
      return {
        success: true,
        task_id,
        status,
        progress: progress.fraction,
        current_step: progress.currentStep,
        completed_steps: progress.completedSteps,
        total_steps: progress.totalSteps,
        ...elapsed,
        ...remaining(task, elapsedMs),
      };
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
      return { success: true, task_id, status, message: "Task cancelled", ...elapsed };
  }
}

export function toListedTask(task: Task): ListedTask {
  const { request, createdAt } = task;
  return { ...toTaskPayload(task), filename: request.filename, created_at: createdAt };
}

function toResult({
  documentId,
  filename,
  chunksCreated,
  alreadyPresent,
}: NonNullable<Task["result"]>) {
  return {
    document_id: documentId,
    filename,
    chunks_created: chunksCreated,
    ...(alreadyPresent ? { already_present: true } : {}),
  };
}

/** From the pace so far; nothing is said before there is one. */
function remaining(
  { progress: { fraction } }: Task,
  elapsedMs: number,
): { readonly estimated_remaining_seconds?: number } {
  if (fraction <= 0) return {};
  return { estimated_remaining_seconds: toSeconds((elapsedMs * (1 - fraction)) / fraction) };
}
