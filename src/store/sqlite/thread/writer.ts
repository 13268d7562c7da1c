// The methods of the writing thread besides the operations of both engines: documents whose chunks come in parts, and
// what the database knows about originals.
import { KnowledgeError } from "../../../domain/errors.ts";
import { joinParts, type PackedChunks } from "../../core/packed-chunks.ts";
import type { DocumentRepository } from "../../documents/documents.ts";
import type { FinishedTask, NewDocument } from "../../store.ts";
import type { Database } from "../database.ts";
import { openEngine } from "../engine.ts";
import { openOriginalsWriter } from "../originals/write-originals.ts";

export function openWriter(database: Database, documents: DocumentRepository, run = "") {
  const staged = new Map<string, PackedChunks[]>();
  const unstage = (stageId: string): PackedChunks => {
    const parts = staged.get(stageId);
    staged.delete(stageId);
    // The thread that staged the parts died; this is its successor.
    if (!parts) {
      const message = "The database did not respond; nothing was changed. Try again.";
      throw new KnowledgeError("STORE_UNAVAILABLE", message);
    }
    return joinParts(parts);
  };
  return {
    ...openOriginalsWriter(database, openEngine(database), run),
    stage(stageId: string, part: PackedChunks): void {
      staged.set(stageId, [...(staged.get(stageId) ?? []), part]);
    },
    putStaged: (document: NewDocument, stageId: string, finishes?: FinishedTask) =>
      documents.put(document, unstage(stageId), finishes),
    reindexStaged: (
      id: string,
      index: Pick<NewDocument, "fingerprint" | "encoders">,
      stageId: string,
    ) => documents.reindex(id, index, unstage(stageId)),
  };
}

export type Writer = ReturnType<typeof openWriter>;
