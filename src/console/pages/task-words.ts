import type { TaskState } from "./shapes.ts";
import type { Word } from "./words.ts";

export const TASK_WORD: Record<TaskState, Word> = {
  queued: "queued",
  running: "running",
  completed: "completed",
  failed: "failedStatus",
  cancelled: "cancelled",
};
