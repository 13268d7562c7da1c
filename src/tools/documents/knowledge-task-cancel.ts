import { z } from "zod";
import { defineTool, type Tool } from "../tool.ts";
import { answer, answerShape, toError } from "./payload.ts";
import type { DocumentRooms } from "./rooms.ts";

const input = z.object({
  task_id: z.uuid("must be a task_id that knowledge-add returned (a UUID)"),
});

const output = answerShape({ task_id: z.string(), status: z.string() });

export function knowledgeTaskCancel(rooms: DocumentRooms): Tool {
  return defineTool({
    name: "knowledge-task-cancel",
    title: "Cancel an add",
    family: "documents",
    effect: "write",
    idempotent: true,
    description:
      "Stop an add that is queued or running; nothing of its document stays. An add that has ended is not changed.",
    input,
    output,
    toError,
    run: async ({ task_id }) => {
      const { status } = await (await rooms.ingest()).cancel(task_id);
      const message =
        status === "cancelled"
          ? "Task cancelled"
          : `The task had already ended (${status}); nothing was cancelled`;
      return answer({ success: true, task_id, status, message });
    },
  });
}
