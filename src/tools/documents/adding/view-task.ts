// An add as a protocol task: its progress, and at the end what a waiting call would have returned.

import { toKnowledgeError } from "../../../domain/errors.ts";
import { stepsToEnglish } from "../../../domain/phrases/messages.ts";
import { KEEP_TASKS_MS, type Task } from "../../../domain/task.ts";
import type { TaskView } from "../../family.ts";
import type { ToolOutput } from "../../tool.ts";
import { respond, toError } from "../payload.ts";
import type { DocumentRooms } from "../rooms.ts";
import { addedBy } from "./respond-to-add.ts";

export async function viewTask(
  rooms: DocumentRooms,
  taskId: string,
): Promise<TaskView | undefined> {
  const task = await findTask(rooms, taskId);
  if (task === undefined) return undefined;
  const { id, status, createdAt, startedAt, finishedAt, progress } = task;
  const view = {
    id,
    createdAt,
    updatedAt: finishedAt ?? startedAt ?? createdAt,
    keptMs: KEEP_TASKS_MS,
  };
  if (status === "cancelled") return { ...view, status, message: "Cancelled" };
  if (status === "queued") return { ...view, status: "working", message: "Queued" };
  if (status === "running") {
    const percent = Math.round(progress.fraction * 100);
    return {
      ...view,
      status: "working",
      message: `${stepsToEnglish(progress.currentStep)} (${percent}%)`,
    };
  }
  const message = status === "failed" ? "Failed" : "Completed";
  return { ...view, status: "ended", message, output: await outputOf(task, rooms) };
}

async function findTask(rooms: DocumentRooms, taskId: string): Promise<Task | undefined> {
  try {
    return await (await rooms.ingest()).task(taskId);
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
