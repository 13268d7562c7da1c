// What the server reports of a task or of an upload, as the tray keeps it.
import type { Queued, Refused, TaskPayload } from "../../../tools/documents/contract.ts";
import type { Item } from "./upload-items.ts";

export function fromTask(update: TaskPayload): Partial<Item> {
  switch (update.status) {
    case "queued":
      return { state: "queued", fraction: 0, note: "" };
    case "running":
      return { state: "running", fraction: update.progress, note: update.current_step };
    case "completed": {
      const { result } = update;
      const state = result?.already_present ? "present" : "completed";
      const opened = result?.document_id ? { documentId: result.document_id } : {};
      return { state, fraction: 1, note: "", ...opened };
    }
    case "failed":
    case "cancelled":
      return { state: update.status, fraction: 0, note: update.message };
  }
}

export function fromResponse(status: number, body: string): Partial<Item> {
  try {
    const answer: Queued | Refused = JSON.parse(body);
    if (!answer.success) return { state: "failed", note: answer.message };
    return { state: "queued", fraction: 0, taskId: answer.task_id };
  } catch {
    return { state: "failed", note: `HTTP ${status}` };
  }
}
