import type { StoredDocument } from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Task, TaskProgress } from "../../domain/task.ts";
import type { Ingest, Queued as QueuedTask } from "../../ingest/ingest.ts";
import { type CallContext, defineTool, type Tool, type ToolProgress } from "../tool.ts";
import { type Added, KNOWLEDGE_ADD, type Queued } from "./contract.ts";
import { answer, fromFailure, toError, toSeconds } from "./payload.ts";
import type { DocumentRooms } from "./rooms.ts";

/** `anywhere` is for people at this machine: they may name files outside the roots. */
export function knowledgeAdd(rooms: DocumentRooms, reach: "roots" | "anywhere" = "roots"): Tool {
  return defineTool({
    contract: KNOWLEDGE_ADD,
    title: "Add a document",
    family: "documents",
    effect: "write",
    idempotent: true,
    description:
      "Add a document or image to the knowledge base for semantic search: PDF, DOCX, PPTX, XLSX, HTML, JPG, PNG, SVG (text in images is read by OCR), also MD, TXT, CSV, JSON. " +
      "Answers at once with a task_id; follow it with knowledge-task-status until it is completed, then search. With async=false it waits and returns the document_id. " +
      "The same content again returns the existing document; a changed file at the same path replaces its document.",
    toError,
    run: async (args, context) => {
      const ingest = await rooms.ingest();
      const queued = await ingest.enqueue(
        { kind: "file", path: args.file_path, anywhere: reach === "anywhere" },
        { metadata: args.metadata ?? {}, forceOcr: args.force_ocr, signal: context.signal },
      );
      const { id } = queued.task;
      if (!args.async) return answer(await finish(ingest, id, rooms, context));
      ingest.watch(id, (progress) => context.taskProgress(id, toToolProgress(progress)));
      return answer(toQueued(queued));
    },
  });
}

export function toQueued({ task, estimatedSeconds, present }: QueuedTask): Queued {
  return {
    success: true,
    task_id: task.id,
    message: "Document queued for processing",
    estimated_time_seconds: estimatedSeconds,
    ...(present === undefined ? {} : { already_present: true, document_id: present.id }),
  };
}

async function finish(
  ingest: Ingest,
  id: string,
  rooms: DocumentRooms,
  { signal, progress }: CallContext,
): Promise<Added> {
  const startedAt = performance.now();
  const ended = await ingest.finish(id, {
    signal,
    onProgress: (step) => progress(toToolProgress(step)),
  });
  if (ended.failure !== undefined) throw fromFailure(ended.failure);
  if (ended.result === undefined) throw new KnowledgeError("CANCELLED", "The add was cancelled.");
  const { documentId } = ended.result;
  const document = await (await rooms.store()).documents.get(documentId);
  return toAdded(ended.result, document, performance.now() - startedAt);
}

function toAdded(
  { documentId, filename, chunksCreated, alreadyPresent }: NonNullable<Task["result"]>,
  document: StoredDocument | undefined,
  tookMs: number,
): Added {
  return {
    success: true,
    document_id: documentId,
    filename,
    chunks_created: chunksCreated,
    processing_method: document?.method ?? "text_extraction",
    processing_time_seconds: toSeconds(tookMs),
    ...(alreadyPresent ? { already_present: true } : {}),
    ...(document === undefined || document.warnings.length === 0
      ? {}
      : { warnings: document.warnings }),
  };
}

function toToolProgress({ fraction, currentStep }: TaskProgress): ToolProgress {
  return { progress: fraction, total: 1, message: currentStep };
}
