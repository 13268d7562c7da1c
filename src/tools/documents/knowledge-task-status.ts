import { z } from "zod";
import { type Task, TOTAL_STEPS } from "../../domain/task.ts";
import { defineTool, type JsonObject, type Tool } from "../tool.ts";
import { answer, answerShape, toError, toSeconds } from "./payload.ts";
import type { DocumentRooms } from "./rooms.ts";

const input = z.object({
  task_id: z.uuid("must be a task_id that knowledge-add returned (a UUID)"),
});

const output = answerShape({
  task_id: z.string(),
  status: z.enum(["queued", "running", "completed", "failed", "cancelled"]),
  progress: z.number().min(0).max(1),
  current_step: z.string(),
  completed_steps: z.number(),
  total_steps: z.number(),
  elapsed_time_seconds: z.number(),
  estimated_remaining_seconds: z.number(),
  total_time_seconds: z.number(),
  result: z.looseObject({
    document_id: z.string(),
    filename: z.string(),
    chunks_created: z.number(),
    already_present: z.boolean().optional(),
  }),
});

export function knowledgeTaskStatus(rooms: DocumentRooms): Tool {
  return defineTool({
    name: "knowledge-task-status",
    title: "Status of an add",
    family: "documents",
    effect: "read",
    description:
      "Get status of an async processing task: queued, running, completed, failed or cancelled. Completed means that the document can be found by knowledge-search. Wait a second or more between calls.",
    input,
    output,
    toError,
    run: async ({ task_id }) => answer(toTaskPayload(await (await rooms.ingest()).task(task_id))),
  });
}

export function toTaskPayload(task: Task, now = Date.now()): JsonObject {
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
      return { success: false, task_id, status, ...task.failure, ...elapsed };
    case "cancelled":
      return { success: true, task_id, status, message: "Task cancelled", ...elapsed };
  }
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
function remaining({ progress: { fraction } }: Task, elapsedMs: number): JsonObject {
  if (fraction <= 0) return {};
  return { estimated_remaining_seconds: toSeconds((elapsedMs * (1 - fraction)) / fraction) };
}
