import * as z from "zod";
import { folderCounts, folderReport } from "./add.ts";
import { codes, done, message, someWarnings } from "./outcome.ts";

export const taskInput = z.object({
  task_id: z.uuid("must be a task_id that knowledge-add returned (a UUID)"),
});

const open = {
  ...done,
  task_id: z.string(),
  progress: z.number().min(0).max(1),
  current_step: z.string(),
  step_codes: codes,
  completed_steps: z.number(),
  total_steps: z.number(),
  elapsed_time_seconds: z.number(),
  estimated_remaining_seconds: z.number(),
  folder: folderCounts.optional(),
};

export const task = z.discriminatedUnion("status", [
  z.object({ ...open, status: z.literal("queued") }),
  z.object({ ...open, status: z.literal("running") }),
  z.object({
    ...done,
    task_id: z.string(),
    status: z.literal("completed"),
    progress: z.number(),
    result: z
      .object({
        document_id: z.string().describe("Absent for a folder").optional(),
        filename: z.string(),
        chunks_created: z.number(),
        already_present: z.boolean().optional(),
        ...someWarnings,
        folder: folderReport.optional(),
      })
      .optional(),
    total_time_seconds: z.number(),
  }),
  z.object({
    success: z.literal(false),
    task_id: z.string(),
    status: z.literal("failed"),
    error: z.string(),
    message: z.string(),
    reason: message.optional(),
    elapsed_time_seconds: z.number(),
  }),
  z.object({
    ...done,
    task_id: z.string(),
    status: z.literal("cancelled"),
    message: z.string(),
    elapsed_time_seconds: z.number(),
    folder: folderCounts.describe("Files added before the cancel stay").optional(),
  }),
]);

/** A task in the list of them. */
export const listedTask = z.intersection(
  task,
  z.object({ filename: z.string(), created_at: z.string() }),
);

export const cancelled = z.object({
  ...done,
  task_id: z.string(),
  status: z.string(),
  message: z.string(),
});
