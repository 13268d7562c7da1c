import { defineTool, type Tool } from "../../tool.ts";
import { KNOWLEDGE_ADD } from "../contract.ts";
import { toError } from "../payload.ts";
import type { DocumentRooms } from "../rooms.ts";
import { from, respondToAdd } from "./respond-to-add.ts";

/** `anywhere` is for people at this machine: they may name files outside the roots. */
export function knowledgeAdd(rooms: DocumentRooms, reach: "roots" | "anywhere" = "roots"): Tool {
  return defineTool({
    contract: KNOWLEDGE_ADD,
    title: "Add a document",
    family: "documents",
    effect: "write",
    idempotent: true,
    startsTask: true,
    description:
      "Add a document, image, whole folder or ZIP archive to the knowledge base for semantic search: PDF, DOCX, PPTX, XLSX, HTML, JPG, PNG, SVG (images by OCR), also text, Markdown, CSV, JSON, EPUB, OpenDocument, old Office files, RTF, mail, notebooks and source code. " +
      "Returns a task_id at once; poll knowledge-task-status until it is completed, then search. async=false waits and returns the document_id. " +
      "Adding the same content again returns the existing document; a changed file at the same path replaces its document.",
    toError,
    run: async (args, context) => {
      const ingest = await rooms.ingest();
      const queued = await ingest.enqueue(
        { kind: "file", path: args.file_path, anywhere: reach === "anywhere" },
        { metadata: args.metadata ?? {}, forceOcr: args.force_ocr, ...from(context) },
      );
      return respondToAdd({ queued, isAsync: args.async, rooms, context });
    },
  });
}
