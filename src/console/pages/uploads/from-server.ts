// Converts the server's report on a task or upload to the tray's form.
import type { Queued, Refused, TaskPayload } from "../../../tools/documents/contract.ts";
import { CallFailed } from "../state/mcp.ts";
import type { Item } from "./upload-items.ts";

export function fromTask(update: TaskPayload): Partial<Item> {
  switch (update.status) {
    case "queued":
      return { state: "queued", fraction: 0, step: [] };
    case "running":
      return { state: "running", fraction: update.progress, step: update.step_codes };
    case "completed": {
      const { result } = update;
      const state = result?.already_present ? "present" : "completed";
      const opened = result?.document_id ? { documentId: result.document_id } : {};
      const folder = result?.folder ? { folder: result.folder } : {};
      return { state, fraction: 1, step: [], ...opened, ...folder };
    }
    case "failed": {
      const failure = new CallFailed(update.message, update);
      return { state: "failed", fraction: 0, step: [], failure };
    }
    case "cancelled":
      return { state: "cancelled", fraction: 0, step: [] };
  }
}

/** A request that was refused before its operation ran. */
interface Fault {
  readonly jsonrpc: "2.0";
  readonly error: { readonly message: string };
}

const isFault = (answer: object): answer is Fault => "jsonrpc" in answer;

export function fromResponse(status: number, body: string): Partial<Item> {
  try {
    const answer: Queued | Refused | Fault = JSON.parse(body);
    if (isFault(answer)) return { state: "failed", failure: new CallFailed(answer.error.message) };
    if (!answer.success) {
      return { state: "failed", failure: new CallFailed(answer.message, answer) };
    }
    return { state: "queued", fraction: 0, taskId: answer.task_id };
  } catch {
    return { state: "failed", failure: new CallFailed(`HTTP ${status}`) };
  }
}
