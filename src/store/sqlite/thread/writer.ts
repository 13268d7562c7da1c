// The methods of the writing thread besides the operations of both engines: documents whose chunks come in parts, and
// what the database knows about originals: which are needed, and which were removed by a user.
import { KnowledgeError } from "../../../domain/errors.ts";
import { joinParts, type PackedChunks } from "../../core/packed-chunks.ts";
import type { DocumentRepository } from "../../documents/documents.ts";
import { neededHashes } from "../../documents/unreferenced.ts";
import { type Engine, fromJson, oneOf, sql } from "../../sql.ts";
import type { FinishedTask, NewDocument } from "../../store.ts";
import type { Database } from "../database.ts";
import { openEngine } from "../engine.ts";
import type { Ownership } from "../folder/identity.ts";

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

function openOriginalsWriter({ identity }: Database, { read, write }: Engine, run: string) {
  return {
    ownership(): { readonly ownership: Ownership; readonly isNew: boolean } {
      return { ownership: identity.claim(), isNew: run !== "" && identity.createdBy === run };
    },
    async noteReported(): Promise<void> {
      await write((db) => db.run(sql`UPDATE identity SET claim = 'marked'`));
    },
    dropped: () =>
      read((db) =>
        db.all<{ hash: string; droppedAt: number }>(
          sql`SELECT hash, dropped_at AS "droppedAt" FROM dropped_originals`,
        ),
      ),
    async forgetDropped(hashes: readonly string[]): Promise<void> {
      await write((db) =>
        db.run(sql`DELETE FROM dropped_originals WHERE hash ${oneOf("text", hashes)}`),
      );
    },
    /** The name that its last task gave it. */
    filenameOf: (hash: string): Promise<string | undefined> =>
      read(async (db) => {
        const row = await db.one<{ request: string }>(sql`SELECT request FROM tasks
          WHERE content_hash = ${hash} ORDER BY seq DESC LIMIT 1`);
        const { filename } = (fromJson(row?.request ?? "{}") ?? {}) as { filename?: unknown };
        return typeof filename === "string" ? filename : undefined;
      }),
    contentHashes: () => read(neededHashes),
  };
}
