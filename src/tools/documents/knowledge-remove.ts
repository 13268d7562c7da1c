import { defined } from "../../domain/defined.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { askUser } from "../tool.ts";
import { KNOWLEDGE_REMOVE } from "./contract.ts";
import {
  type DocumentRooms,
  documentNotFound,
  documentOf,
  documentsTool,
  respond,
  scopeOf,
  within,
} from "./tool.ts";

export function knowledgeRemove(rooms: DocumentRooms) {
  return documentsTool(rooms, {
    contract: KNOWLEDGE_REMOVE,
    title: "Remove a document",
    effect: "destroy",
    idempotent: true,
    description:
      "Remove a specific document from the knowledge base permanently. Needs confirm=true: ask the user first.",
    run: async ({ document_id, confirm, scope }, context, seen) => {
      const { documents } = await seen.store();
      const found = await documentOf(seen, document_id, await within(seen, context, scope));
      await seen.sights.allow(context, "admin", scopeOf(found));
      if (!confirm) {
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
      seen.onRemoved([scopeOf(removed)]);
      return respond({
        success: true,
        document_id: removed.id,
        filename: removed.filename,
        ...defined({ scope: removed.scope }),
        chunks_removed: removed.chunkCount,
        message: "Document removed successfully",
      });
    },
  });
}
