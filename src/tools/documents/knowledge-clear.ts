import { isSeen } from "../../domain/call/sight.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import type { DocumentStore } from "../../store/store.ts";
import { askUser, type CallContext } from "../tool.ts";
import { CLEAR_PHRASE, KNOWLEDGE_CLEAR } from "./contract.ts";
import { type DocumentRooms, documentsTool, respond, toError, toMegabytes } from "./tool.ts";

const HOW = `Set confirm=true and confirmation_phrase='${CLEAR_PHRASE}' to proceed`;

export function knowledgeClear(rooms: DocumentRooms) {
  return documentsTool(rooms, {
    contract: KNOWLEDGE_CLEAR,
    title: "Remove all documents",
    effect: "destroy",
    idempotent: true,
    description:
      'Remove all documents from the knowledge base permanently and cancel adds in progress. Only when the user asks for exactly this; needs confirm=true and confirmation_phrase="DELETE ALL".',
    toError: (error) =>
      error.code === "MISSING_REQUIRED_PARAMETER"
        ? { ...toError(error), message: `${error.message} ${HOW}` }
        : toError(error),
    run: async ({ confirm, confirmation_phrase, scope }, context, seen) => {
      const { documents, ingest, scopes } = await clearable(seen, context, scope);
      const { documents: count } = await documents.totals();
      const question = `Permanently remove all documents (${count}) from the knowledge base?`;
      const isAgreed = await askUser(context, question);
      if (!isAgreed && (!confirm || confirmation_phrase !== CLEAR_PHRASE)) {
        throw new KnowledgeError(
          "CONFIRMATION_REQUIRED",
          `This action will delete ALL documents. ${HOW}`,
          { details: { current_document_count: count } },
        );
      }
      const cancelled = await cancelOpenTasks(ingest);
      const removed = await documents.clear();
      seen.onRemoved(scopes);
      return respond({
        success: true,
        documents_removed: removed.documents,
        embeddings_removed: removed.chunks,
        storage_freed_mb: toMegabytes(removed.sizeBytes),
        ...(cancelled === 0 ? {} : { tasks_cancelled: cancelled }),
        message: "Knowledge base cleared successfully",
      });
    },
  });
}

interface Clearable {
  readonly documents: DocumentStore;
  readonly ingest: Ingest;
  /** All if absent. */
  readonly scopes?: readonly string[];
}

/** The one scope that is named, not what it inherits; else every scope in which the caller may remove. */
async function clearable(
  rooms: DocumentRooms,
  who: Pick<CallContext, "principal">,
  scope: string | undefined,
): Promise<Clearable> {
  const { sights } = rooms;
  const [store, ingest] = [await rooms.store(), await rooms.ingest()];
  const [id] = scope === undefined ? [] : await sights.chain(who, scope);
  if (id !== undefined) await sights.allow(who, "admin", id);
  const [seen, own] = [await sights.of(who), await sights.of(who, "admin")];
  const scopes = id === undefined ? own?.filter((each) => isSeen(each, seen)) : [id];
  if (scopes === undefined) return { documents: store.documents, ingest };
  return { documents: store.documents.seenBy(scopes), ingest: ingest.seenBy(scopes), scopes };
}

/** Otherwise running adds would fill the knowledge base again. */
async function cancelOpenTasks(ingest: Ingest): Promise<number> {
  let cancelled = 0;
  for (;;) {
    const open = await ingest.tasks({ limit: 500, open: true });
    const ended = await Promise.all(open.map(({ id }) => ingest.cancel(id)));
    const stopped = ended.filter(({ status }) => status === "cancelled").length;
    cancelled += stopped;
    if (stopped === 0) return cancelled;
  }
}
