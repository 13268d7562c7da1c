import { z } from "zod";
import { KnowledgeError } from "../../domain/errors.ts";
import { defineTool, type Tool } from "../tool.ts";
import { answer, answerShape, documentNotFound, toError } from "./payload.ts";
import type { DocumentRooms } from "./rooms.ts";

const input = z.object({
  document_id: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(100, "must have at most 100 characters")
    .describe("As knowledge-show and knowledge-search return it"),
  confirm: z
    .boolean()
    .default(false)
    .describe("Must be true; without it you see what would be removed"),
});

const output = answerShape({
  document_id: z.string(),
  filename: z.string(),
  chunks_removed: z.number(),
  document: z.object({ id: z.string(), filename: z.string(), chunks: z.number() }),
});

export function knowledgeRemove(rooms: DocumentRooms): Tool {
  return defineTool({
    name: "knowledge-remove",
    title: "Remove a document",
    family: "documents",
    effect: "destroy",
    idempotent: true,
    description:
      "Remove a specific document from the knowledge base, for good. Needs confirm=true: ask the user first.",
    input,
    output,
    toError,
    run: async ({ document_id, confirm }) => {
      const { documents } = await rooms.store();
      if (!confirm) {
        const found = await documents.get(document_id);
        if (found === undefined) throw documentNotFound(document_id);
        const { id, filename, chunkCount } = found;
        throw new KnowledgeError(
          "CONFIRMATION_REQUIRED",
          "Set confirm=true to remove this document",
          { details: { document: { id, filename, chunks: chunkCount } } },
        );
      }
      const removed = await documents.remove(document_id);
      if (removed === undefined) throw documentNotFound(document_id);
      rooms.onRemoved();
      return answer({
        success: true,
        document_id: removed.id,
        filename: removed.filename,
        chunks_removed: removed.chunkCount,
        message: "Document removed successfully",
      });
    },
  });
}
