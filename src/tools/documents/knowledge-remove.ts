import { KnowledgeError } from "../../domain/errors.ts";
import { askUser } from "../ask-user.ts";
import { defineTool, type Tool } from "../tool.ts";
import { KNOWLEDGE_REMOVE } from "./contract.ts";
import { documentNotFound, respond, toError } from "./payload.ts";
import type { DocumentRooms } from "./rooms.ts";

export function knowledgeRemove(rooms: DocumentRooms): Tool {
  return defineTool({
    contract: KNOWLEDGE_REMOVE,
    title: "Remove a document",
    family: "documents",
    effect: "destroy",
    idempotent: true,
    description:
      "Remove a specific document from the knowledge base permanently. Needs confirm=true: ask the user first.",
    toError,
    run: async ({ document_id, confirm }, context) => {
      const { documents } = await rooms.store();
      if (!confirm) {
        const found = await documents.get(document_id);
        if (found === undefined) throw documentNotFound(document_id);
        const { id, filename, chunkCount } = found;
        if (!(await askUser(context, `Permanently remove '${filename}' from the knowledge base?`)))
          throw new KnowledgeError(
            "CONFIRMATION_REQUIRED",
            "Set confirm=true to remove this document",
            { details: { document: { id, filename, chunks: chunkCount } } },
          );
      }
      const removed = await documents.remove(document_id);
      if (removed === undefined) throw documentNotFound(document_id);
      rooms.onRemoved();
      return respond({
        success: true,
        document_id: removed.id,
        filename: removed.filename,
        chunks_removed: removed.chunkCount,
        message: "Document removed successfully",
      });
    },
  });
}
