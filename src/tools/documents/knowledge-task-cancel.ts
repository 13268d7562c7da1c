import { defineTool, type Tool } from "../tool.ts";
import { KNOWLEDGE_TASK_CANCEL } from "./contract.ts";
import { respond, toError } from "./payload.ts";
import type { DocumentRooms } from "./rooms.ts";

export function knowledgeTaskCancel(rooms: DocumentRooms): Tool {
  return defineTool({
    contract: KNOWLEDGE_TASK_CANCEL,
    title: "Cancel an add",
    family: "documents",
    effect: "write",
    idempotent: true,
    description:
      "Cancel an add that is queued or running; nothing of its document is kept. Does nothing if the add has already finished.",
    toError,
    run: async ({ task_id }) => {
      const { status } = await (await rooms.ingest()).cancel(task_id);
      const message =
        status === "cancelled"
          ? "Task cancelled"
          : `The task had already ended (${status}); nothing was cancelled`;
      return respond({ success: true, task_id, status, message });
    },
  });
}
