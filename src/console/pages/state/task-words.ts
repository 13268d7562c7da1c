import type { TaskState } from "../../../tools/documents/contract.ts";
import type { Word } from "../state/translations.ts";

export const TASK_WORD: Record<TaskState, Word> = {
  queued: "queued",
  running: "running",
  completed: "completed",
  failed: "failedStatus",
  cancelled: "cancelled",
};
