import type { TaskState } from "../../../tools/documents/contract.ts";
import type { MessageKey } from "./translations.ts";

export const TASK_WORD: Record<TaskState, MessageKey> = {
  queued: "queued",
  running: "running",
  completed: "completed",
  failed: "failedStatus",
  cancelled: "cancelled",
};
