// The methods of the writing thread.
import { KnowledgeError } from "../../../domain/errors.ts";
import type { NewDocument } from "../../store.ts";
import type { Database } from "../database.ts";
import { openDocumentWriter } from "../documents/write-documents.ts";
import { openOriginalsWriter } from "../originals/write-originals.ts";
import { openClaims } from "../refinement/claim.ts";
import { openVectorWriter } from "../refinement/store-vectors.ts";
import { openScopeWriter } from "../scopes/write-scopes.ts";
import { openLeaseClock } from "../tasks/lease-clock.ts";
import { openTaskWriter } from "../tasks/write-tasks.ts";
import { joinParts, type PackedChunks } from "./packed-messages.ts";

export function openWriter(database: Database, run = "") {
  const clock = openLeaseClock();
  const tasks = openTaskWriter(database, clock);
  const documents = openDocumentWriter(database, tasks);
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
    ...tasks,
    ...openScopeWriter(database),
    ...documents,
    ...openOriginalsWriter(database, run),
    ...openClaims(database, clock),
    ...openVectorWriter(database),
    stage(stageId: string, part: PackedChunks): void {
      staged.set(stageId, [...(staged.get(stageId) ?? []), part]);
    },
    put: (
      document: NewDocument,
      stageId: string,
      finishes?: { readonly taskId: string; readonly worker: string },
    ) => documents.put(document, unstage(stageId), finishes),
    reindex: (id: string, index: Pick<NewDocument, "fingerprint" | "encoders">, stageId: string) =>
      documents.reindex(id, index, unstage(stageId)),
  };
}

export type Writer = ReturnType<typeof openWriter>;
