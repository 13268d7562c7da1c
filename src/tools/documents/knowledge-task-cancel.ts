import { KNOWLEDGE_TASK_CANCEL } from "./contract.ts";
import { type DocumentRooms, documentsTool, respond } from "./tool.ts";

export function knowledgeTaskCancel(rooms: DocumentRooms) {
  return documentsTool({
    contract: KNOWLEDGE_TASK_CANCEL,
    title: "Cancel an add",
    effect: "write",
    idempotent: true,
    description:
      "Cancel an add that is queued or running; nothing of its document is kept. Does nothing if the add has already finished.",
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
