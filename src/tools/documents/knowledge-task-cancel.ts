import { KNOWLEDGE_TASK_CANCEL } from "./contract.ts";
import { cancelAdd } from "./respond-to-add.ts";
import { type DocumentRooms, documentsTool, respond } from "./tool.ts";

export function knowledgeTaskCancel(rooms: DocumentRooms) {
  return documentsTool(rooms, {
    contract: KNOWLEDGE_TASK_CANCEL,
    title: "Cancel an add",
    effect: "write",
    idempotent: true,
    description: "Cancel an add that is queued or running; nothing of its document is kept.",
    run: async ({ task_id }, context, seen) => {
      const status = await cancelAdd(seen, context, task_id);
      const message =
        status === "cancelled"
          ? "Task cancelled"
          : `The task had already ended (${status}); nothing was cancelled`;
      return respond({ success: true, task_id, status, message });
    },
  });
}
