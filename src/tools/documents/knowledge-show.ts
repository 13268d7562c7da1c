import { z } from "zod";
import type { StoredDocument } from "../../domain/document.ts";
import { defineTool, type JsonObject, type Tool } from "../tool.ts";
import { answer, answerShape, documentNotFound, toError } from "./payload.ts";
import type { DocumentRooms } from "./rooms.ts";

const LIMIT = "must be a whole number from 1 to 1000";
const OFFSET = "must be a whole number of at least 0";

const input = z.object({
  limit: z
    .int(LIMIT)
    .min(1, LIMIT)
    .max(1000, LIMIT)
    .default(100)
    .describe("Most documents to return"),
  offset: z
    .int(OFFSET)
    .min(0, OFFSET)
    .default(0)
    .describe("Documents to pass over, for the next page"),
  sort_by: z.enum(["date_added", "filename", "size"]).default("date_added"),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  match: z
    .string()
    .trim()
    .max(200, "must have at most 200 characters")
    .optional()
    .describe("Only documents whose filename or title contains this"),
  document_id: z
    .string()
    .trim()
    .max(100, "must have at most 100 characters")
    .optional()
    .describe("Only this document, with its metadata, pages and warnings"),
});

const output = answerShape({
  documents: z.array(
    z.looseObject({
      id: z.string(),
      filename: z.string(),
      format: z.string(),
      size_bytes: z.number(),
      date_added: z.string(),
      chunk_count: z.number(),
      processing_status: z.string(),
      processing_method: z.string(),
    }),
  ),
  total_count: z.number(),
  limit: z.number(),
  offset: z.number(),
});

export function knowledgeShow(rooms: DocumentRooms): Tool {
  return defineTool({
    name: "knowledge-show",
    title: "List documents",
    family: "documents",
    effect: "read",
    description:
      "List all documents in the knowledge base with metadata, newest first, in pages of limit and offset. To find something inside documents use knowledge-search.",
    input,
    output,
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

function toRow(document: StoredDocument): JsonObject {
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
  };
}

function toDetails(document: StoredDocument): JsonObject {
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
    metadata: document.metadata,
    warnings: document.warnings,
  };
}
