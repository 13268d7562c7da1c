import type { z } from "zod";
import { defined } from "../../domain/defined.ts";
import type { StoredDocument } from "../../domain/document.ts";
import { readInternalMetadata, visibleMetadata } from "../../domain/internal-metadata.ts";
import type { DocumentPage } from "../../store/store.ts";
import { type DocumentRow, KNOWLEDGE_SHOW } from "./contract.ts";
import {
  type DocumentRooms,
  documentOf,
  documentsTool,
  documentUri,
  respond,
  toWarnings,
  within,
} from "./tool.ts";

export function knowledgeShow(rooms: DocumentRooms) {
  return documentsTool(rooms, {
    contract: KNOWLEDGE_SHOW,
    title: "List documents",
    effect: "read",
    description:
      "List all documents in the knowledge base with metadata, newest first. To search inside documents use knowledge-search.",
    run: async (args, context, seen) => {
      const { document_id: id, limit, offset } = args;
      const scopes = await within(seen, context, args.scope);
      const shown = id
        ? { rows: [toDetails(await documentOf(seen, id, scopes))], total: 1 }
        : await listPage(seen, { ...args, ...scopes });
      const isEmpty = shown.total === 0 && !args.match && !args.scope;
      return respond({
        success: true,
        documents: shown.rows,
        total_count: shown.total,
        limit,
        offset,
        ...(isEmpty && { message: "Knowledge base is empty" }),
      });
    },
  });
}

async function listPage(
  rooms: DocumentRooms,
  args: z.infer<typeof KNOWLEDGE_SHOW.input> & Pick<DocumentPage, "scopes">,
) {
  const { limit, offset, sort_by: sortBy, sort_order: sortOrder, match, scopes } = args;
  const page = {
    limit,
    offset,
    sortBy,
    sortOrder,
    ...(match && { match }),
    ...defined({ scopes }),
  };
  const { documents: found, total } = await (await rooms.store()).documents.list(page);
  return { rows: found.map(toRow), total };
}

export function toRow(document: StoredDocument): DocumentRow {
  const { revision, otherNames, page } = readInternalMetadata(document.metadata);
  return {
    id: document.id,
    document_id: document.id,
    filename: document.filename,
    format: document.format,
    size_bytes: document.sizeBytes,
    date_added: document.dateAdded,
    chunk_count: document.chunkCount,
    processing_status: "completed",
    processing_method: document.method,
    ...defined({ title: document.title, scope: document.scope }),
    ...(revision > 1 && { revision }),
    ...(page && { url: page.url }),
    ...(otherNames.length > 0 && { other_filenames: otherNames }),
  };
}

function toDetails(document: StoredDocument): DocumentRow {
  const ocr = document.pages.filter(({ method }) => method === "ocr");
  const confidences = ocr.flatMap(({ confidence }) => confidence ?? []);
  const mean = confidences.reduce((sum, each) => sum + each, 0) / confidences.length;
  return {
    ...toRow(document),
    page_count: document.pages.length,
    ...(ocr.length > 0 && { ocr_pages: ocr.length }),
    ...(confidences.length > 0 && { ocr_confidence: Math.round(mean * 100) / 100 }),
    resource: documentUri(document.id),
    metadata: visibleMetadata(document.metadata),
    ...toWarnings(document.warnings),
  };
}
