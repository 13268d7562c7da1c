import { z } from "zod";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import { defineTool, type Tool } from "../tool.ts";
import { answer, answerShape, toError, toMegabytes } from "./payload.ts";
import type { DocumentRooms } from "./rooms.ts";

const PHRASE = "DELETE ALL";
const HOW = `Set confirm=true and confirmation_phrase='${PHRASE}' to proceed`;

const input = z.object({
  confirm: z.boolean().describe("Must be true"),
  confirmation_phrase: z.string().describe(`Must be exactly "${PHRASE}"`),
});

const output = answerShape({
  documents_removed: z.number(),
  embeddings_removed: z.number(),
  storage_freed_mb: z.number(),
  tasks_cancelled: z.number(),
  current_document_count: z.number(),
});

export function knowledgeClear(rooms: DocumentRooms): Tool {
  return defineTool({
    name: "knowledge-clear",
    title: "Remove all documents",
    family: "documents",
    effect: "destroy",
    idempotent: true,
    description:
      'Remove all documents from the knowledge base, for good, and cancel adds that are under way. Only when the user asks for exactly this; needs confirm=true and confirmation_phrase="DELETE ALL".',
    input,
    output,
    toError: (error) =>
      error.code === "MISSING_REQUIRED_PARAMETER"
        ? { ...toError(error), message: `${error.message} ${HOW}` }
        : toError(error),
    run: async ({ confirm, confirmation_phrase }) => {
      const { documents } = await rooms.store();
      if (!confirm || confirmation_phrase !== PHRASE) {
        const { documents: count } = await documents.totals();
        throw new KnowledgeError(
          "CONFIRMATION_REQUIRED",
          `This action will delete ALL documents. ${HOW}`,
          { details: { current_document_count: count } },
        );
      }
      const cancelled = await cancelOpenTasks(await rooms.ingest());
      const removed = await documents.clear();
      rooms.onRemoved();
      return answer({
        success: true,
        documents_removed: removed.documents,
        embeddings_removed: removed.chunks,
        storage_freed_mb: toMegabytes(removed.sizeBytes),
        ...(cancelled === 0 ? {} : { tasks_cancelled: cancelled }),
        message: "Knowledge base cleared successfully",
      });
    },
  });
}

/** What is still being read would fill the knowledge base again. */
async function cancelOpenTasks(ingest: Ingest): Promise<number> {
  let cancelled = 0;
  for (;;) {
    const open = await ingest.tasks({ limit: 500, open: true });
    const ended = await Promise.all(open.map(({ id }) => ingest.cancel(id)));
    const stopped = ended.filter(({ status }) => status === "cancelled").length;
    cancelled += stopped;
    if (stopped === 0) return cancelled;
  }
}
