import * as z from "zod";
import { done, failure } from "./outcome.ts";
import { documentId } from "./show.ts";

export const removeInput = z.object({
  document_id: documentId
    .min(1, "must not be empty")
    .describe("From knowledge-show or knowledge-search"),
  confirm: z
    .boolean()
    .default(false)
    .describe("Must be true; otherwise you only see what would be removed"),
});

export const removed = z.object({
  ...done,
  document_id: z.string(),
  filename: z.string(),
  chunks_removed: z.number(),
  message: z.string(),
});

export const notRemoved = failure.extend({
  document: z.object({ id: z.string(), filename: z.string(), chunks: z.number() }).optional(),
});

export const CLEAR_PHRASE = "DELETE ALL";

export const clearInput = z.object({
  confirm: z.boolean().describe("Must be true"),
  confirmation_phrase: z.string().describe(`Must be exactly "${CLEAR_PHRASE}"`),
});

export const cleared = z.object({
  ...done,
  documents_removed: z.number(),
  embeddings_removed: z.number(),
  storage_freed_mb: z.number(),
  tasks_cancelled: z.number().optional(),
  message: z.string(),
});

export const notCleared = failure.extend({ current_document_count: z.number().optional() });
