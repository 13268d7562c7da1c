// A task in the shapes of two specifications: the extension of 2026-07-28, where the result is part of the task, and
// the core of 2025-11-25, where it is requested separately.
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { TaskView } from "../../tools/family.ts";
import { toResult } from "../tool-result.ts";

// A small add takes a few tenths of a second.
const POLL_MS = 500;

/** The extension's `Task`. A failed add is a completed call: what failed is the work, not the request. */
export function toTask({ id, status, message, createdAt, updatedAt, keptMs }: TaskView) {
  return {
    taskId: id,
    status: status === "ended" ? ("completed" as const) : status,
    statusMessage: message,
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs: keptMs,
    pollIntervalMs: POLL_MS,
  };
}

/** The extension's `DetailedTask`. */
export function toDetailedTask(view: TaskView) {
  return { ...toTask(view), ...(view.output && { result: toResult(view.output) }) };
}

export function toCoreTask(view: TaskView) {
  const { ttlMs: ttl, pollIntervalMs: pollInterval, ...task } = toTask(view);
  const status = view.output?.isError ? ("failed" as const) : task.status;
  return { ...task, status, ttl, pollInterval };
}

export function toCoreResult(view: TaskView, output: NonNullable<TaskView["output"]>) {
  const related = { "io.modelcontextprotocol/related-task": { taskId: view.id } };
  return { ...toResult(output), _meta: related } satisfies CallToolResult;
}
