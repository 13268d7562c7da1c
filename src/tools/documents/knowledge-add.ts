import { KNOWLEDGE_ADD } from "./contract.ts";
import { respondToAdd } from "./respond-to-add.ts";
import { type DocumentRooms, documentsTool } from "./tool.ts";

/** `anywhere` is for people at this machine: they may name files outside the roots. */
export function knowledgeAdd(rooms: DocumentRooms, reach: "roots" | "anywhere" = "roots") {
  return documentsTool(rooms, {
    contract: KNOWLEDGE_ADD,
    title: "Add a document",
    effect: "write",
    idempotent: true,
    startsTask: true,
    description:
      "Add a document, image, whole folder or ZIP archive to the knowledge base for semantic search: PDF, DOCX, PPTX, XLSX, HTML, JPG, PNG, SVG (images by OCR), also text, Markdown, CSV, EPUB, OpenDocument, mail, source code and more. " +
      "Returns a task_id at once; poll knowledge-task-status until it is completed. " +
      "The same content again returns the existing document; a changed file at the same path replaces it.",
    run: (args, context, seen) => {
      const source = {
        kind: "file",
        path: args.file_path,
        anywhere: reach === "anywhere",
      } as const;
      return respondToAdd(seen, source, { args, context });
    },
  });
}
