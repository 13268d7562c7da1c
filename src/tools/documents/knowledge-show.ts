import type { StoredDocument } from "../../domain/document.ts";
import { ownFacts, shownMetadata } from "../../domain/own-facts.ts";
import { defineTool, type Tool } from "../tool.ts";
import { type DocumentRow, KNOWLEDGE_SHOW } from "./contract.ts";
import { answer, documentNotFound, toError } from "./payload.ts";
import type { DocumentRooms } from "./rooms.ts";

export function knowledgeShow(rooms: DocumentRooms): Tool {
  return defineTool({
    contract: KNOWLEDGE_SHOW,
    title: "List documents",
    family: "documents",
    effect: "read",
    description:
      "List all documents in the knowledge base with metadata, newest first, in pages of limit and offset. To find something inside documents use knowledge-search.",
    toError,
    run: async (args) => {
      const { documents } = await rooms.store();
      const { limit, offset } = args;
      if (args.document_id) {
        const found = await documents.get(args.document_id);
        if (found === undefined) throw documentNotFound(args.document_id);
        return answer({
          success: true,
          documents: [toDetails(found)],
          total_count: 1,
          limit,
          offset,
        });
      }
      const { documents: found, total } = await documents.list({
        limit,
        offset,
        sortBy: args.sort_by,
        sortOrder: args.sort_order,
        ...(args.match ? { match: args.match } : {}),
      });
      if (total === 0 && !args.match) {
        return answer({
          success: true,
          documents: [],
          total_count: 0,
          limit,
          offset,
          message: "Knowledge base is empty",
        });
      }
      return answer({
        success: true,
        documents: found.map(toRow),
        total_count: total,
        limit,
        offset,
      });
    },
  });
}

function toRow(document: StoredDocument): DocumentRow {
  const { revision, otherNames } = ownFacts(document.metadata);
  return {
    id: document.id,
    filename: document.filename,
    format: document.format,
    size_bytes: document.sizeBytes,
    date_added: document.dateAdded,
    chunk_count: document.chunkCount,
    processing_status: "completed",
    processing_method: document.method,
    ...(document.title === undefined ? {} : { title: document.title }),
    ...(revision > 1 ? { revision } : {}),
    ...(otherNames.length === 0 ? {} : { other_filenames: otherNames }),
  };
}

function toDetails(document: StoredDocument): DocumentRow {
  const ocr = document.pages.filter(({ method }) => method === "ocr");
  const confidences = ocr.flatMap(({ confidence }) =>
    confidence === undefined ? [] : [confidence],
  );
  const mean = confidences.reduce((sum, each) => sum + each, 0) / confidences.length;
  return {
    ...toRow(document),
    page_count: document.pages.length,
    ...(ocr.length === 0 ? {} : { ocr_pages: ocr.length }),
    ...(confidences.length === 0 ? {} : { ocr_confidence: Math.round(mean * 100) / 100 }),
    resource: `knowledge://documents/${document.id}`,
    metadata: shownMetadata(document.metadata),
    warnings: document.warnings,
  };
}
