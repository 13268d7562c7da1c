// The result of knowledge-status.
import * as z from "zod";
import { codes, done } from "./shapes.ts";

const blocked = z.object({
  waited_seconds: z.number(),
  by: z.array(z.object({ filename: z.string(), since: z.string() })),
});

const folder = z.object({
  path: z.string(),
  scope: z.string().optional(),
  files: z.number(),
  refused: z.number(),
  watched: z.boolean(),
  settled_at: z.string(),
});

export const status = z.object({
  ...done,
  knowledge_base: z.object({
    name: z.string(),
    document_count: z.number(),
    total_chunks: z.number(),
    total_size_bytes: z.number(),
    total_size_mb: z.number(),
    average_chunks_per_document: z.number(),
    storage_path: z.string(),
    vector_db_path: z.string(),
  }),
  health: z.object({
    status: z.enum(["healthy", "degraded", "unhealthy"]),
    vector_db_connected: z.boolean(),
    storage_accessible: z.boolean(),
    embedding_model_loaded: z.boolean(),
    issues: z.array(z.string()).optional(),
    issue_codes: codes.optional(),
  }),
  configuration: z.object({
    embedding_model: z.string(),
    chunk_size: z.number(),
    max_file_size_mb: z.number(),
  }),
  tasks: z
    .object({
      queued: z.number(),
      running: z.number(),
      blocked: blocked.describe("Adds wait because these files hold all workers").optional(),
    })
    .optional(),
  refining: z
    .object({ documents: z.number(), chunks: z.number() })
    .describe("Already searchable; not yet read by the model")
    .optional(),
  folders: z.array(folder).optional(),
  last_updated: z.string().describe("Absent if nothing is stored").optional(),
});
