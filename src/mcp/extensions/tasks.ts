// Calls that continue as tasks (SEP-2663 since 2026-07-28, the core of 2025-11-25 before it): a tool that starts work
// returns the task at once, which is then asked for, or stopped, by its id.
//
//   tools/call ─▶ a task's id ─▶ tasks/get, again and again ─▶ completed, with the call's result
//                               └─▶ tasks/cancel

import { setTimeout as wait } from "node:timers/promises";
import {
  type CallToolResult,
  ProtocolError,
  type Result,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { JSON_RPC } from "../../domain/call/rpc-error.ts";
import type { TaskView } from "../../tools/family.ts";
import type { CallContext, Tool, ToolOutput } from "../../tools/tool.ts";
import { type Parts, runRequest, type Serving } from "../call-context.ts";
import { invalidParams } from "../errors.ts";
import { ANY, CANCEL, readParams } from "../params.ts";
import { toResult } from "../tool-result.ts";
import {
  capabilitiesOf,
  hasCoreTasks,
  hasExtension,
  requireExtension,
  TASKS,
} from "./negotiated.ts";

/** The form in which a call returns a task; undefined if it returns its result. */
export type TaskForm = "extension" | "core";

export function taskFormOf(
  server: Server,
  context: ServerContext,
  { tool, task }: { readonly tool: Tool; readonly task: unknown },
): TaskForm | undefined {
  if (context.mcpReq.envelope !== undefined) {
    const knows = hasExtension(capabilitiesOf(server, context), TASKS);
    return tool.startsTask && knows ? "extension" : undefined;
  }
  if (task === undefined || !hasCoreTasks(server)) return undefined;
  if (tool.startsTask) return "core";
  throw new ProtocolError(JSON_RPC.methodNotFound, "This tool cannot be called as a task.", {
    error_type: "task_not_supported",
  });
}

/** The arguments of a call that does not wait. */
export function asTask(args: unknown): unknown {
  return typeof args === "object" && args !== null ? { ...args, async: true } : args;
}

/** The task that the call started; undefined if the call failed before that. */
export async function taskOf(
  { toolbox }: Parts,
  { payload, isError }: ToolOutput,
  { principal }: CallContext,
): Promise<TaskView | undefined> {
  const id = (payload as { readonly task_id?: unknown }).task_id;
  if (isError || typeof id !== "string") return undefined;
  return toolbox.task(id, principal);
}

// The SDK rejects a call result without `content`; `withoutContent` removes it again.
export function toCreated(form: TaskForm, view: TaskView) {
  if (form === "core") return { content: [], task: toCoreTask(view) };
  // A task that has already ended is reported as such by its status.
  return { content: [], resultType: "task", ...toTask(view) };
}

const GET = CANCEL;
const UPDATE = CANCEL.extend({ inputResponses: z.record(z.string(), z.unknown()).optional() });
const LOOK_EVERY_MS = 250;

type Find = (taskId: string) => Promise<TaskView>;

interface TaskRequest {
  readonly params: unknown;
  readonly call: CallContext;
  /** In the form of revision 2025-11-25. */
  readonly isCore: boolean;
}

export function offerTasks(serving: Serving): void {
  const { server, parts, connection } = serving;
  const { toolbox } = parts;
  const find: Find = async (taskId) => {
    const found = await toolbox.task(taskId, connection.principal);
    if (found) return found;
    throw invalidParams(
      "task_not_found",
      "There is no such task. Finished tasks are kept for a week.",
    );
  };
  const serve = (
    method: string,
    right: "read" | "write",
    work: (asked: TaskRequest) => Promise<Result>,
  ) =>
    server.setRequestHandler(method, ANY, (params, context) => {
      const isCore = context.mcpReq.envelope === undefined;
      if (!isCore) requireExtension(server, context, TASKS);
      return runRequest(serving, { context, right }, (call) => work({ params, call, isCore }));
    });
  serve("tasks/get", "read", async ({ params, isCore }) => {
    const view = await find(readParams(GET, params).taskId);
    return isCore ? toCoreTask(view) : toDetailedTask(view);
  });
  serve("tasks/cancel", "write", (asked) => cancel(parts, find, asked));
  // No task of ours asks for anything: responses to what was not asked are ignored, as the specification says.
  serve("tasks/update", "read", async ({ params }) => {
    await find(readParams(UPDATE, params).taskId);
    return {};
  });
  serve("tasks/result", "read", ({ params, call }) =>
    resultOf(find, readParams(GET, params).taskId, call.signal),
  );
}

async function cancel({ toolbox }: Parts, find: Find, { params, call, isCore }: TaskRequest) {
  const { taskId } = readParams(CANCEL, params);
  // First, because a refusal is recorded there. The response shows the task, which needs the right to read.
  const isCancelled = await toolbox.cancelTask(taskId, call, "read");
  const view = await find(taskId);
  if (isCore && !isCancelled) {
    throw invalidParams(
      "task_ended",
      `The task has ended (${view.status}); nothing was cancelled.`,
    );
  }
  return isCore ? toCoreTask(view) : {};
}

async function resultOf(find: Find, taskId: string, signal: AbortSignal) {
  for (;;) {
    const view = await find(taskId);
    if (view.output) return toCoreResult(view, view.output);
    if (view.status === "cancelled") {
      throw invalidParams("cancelled", "The task was cancelled; it has no result.");
    }
    await wait(LOOK_EVERY_MS, undefined, { signal });
  }
}

// The shapes of two specifications: the extension of 2026-07-28, where the result is part of the task, and the core of
// 2025-11-25, where it is requested separately.

// A small add takes a few tenths of a second.
const POLL_MS = 500;

/** The extension's `Task`. A failed add is a completed call: what failed is the work, not the request. */
function toTask({ id, status, message, createdAt, updatedAt, keptMs }: TaskView) {
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
function toDetailedTask(view: TaskView) {
  return { ...toTask(view), ...(view.output && { result: toResult(view.output) }) };
}

function toCoreTask(view: TaskView) {
  const { ttlMs: ttl, pollIntervalMs: pollInterval, ...task } = toTask(view);
  const status = view.output?.isError ? ("failed" as const) : task.status;
  return { ...task, status, ttl, pollInterval };
}

function toCoreResult(view: TaskView, output: NonNullable<TaskView["output"]>) {
  const related = { "io.modelcontextprotocol/related-task": { taskId: view.id } };
  return { ...toResult(output), _meta: related } satisfies CallToolResult;
}
