import * as z from "zod";
import { done, format, method, someWarnings } from "./outcome.ts";

const LIMIT = "must be a whole number from 1 to 1000";
const OFFSET = "must be a whole number of at least 0";

export const documentId = z.string().trim().max(100, "must have at most 100 characters");

export const showInput = z.object({
  limit: z
    .int(LIMIT)
    .min(1, LIMIT)
    .max(1000, LIMIT)
    .default(100)
    .describe("Maximum number of documents"),
  offset: z.int(OFFSET).min(0, OFFSET).default(0).describe("Number of documents to skip"),
  sort_by: z.enum(["date_added", "filename", "size"]).default("date_added"),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  match: z
    .string()
    .trim()
    .max(200, "must have at most 200 characters")
    .optional()
    .describe("Only documents whose filename or title contains this"),
  document_id: documentId
    .optional()
    .describe("Only this document, with its metadata, pages and warnings"),
});

export const row = z.object({
  id: z.string(),
  filename: z.string(),
  format,
  size_bytes: z.number(),
  date_added: z.string(),
  chunk_count: z.number(),
  processing_status: z.string(),
  processing_method: method,
  title: z.string().optional(),
  url: z.string().describe("Only for web pages").optional(),
  revision: z.number().describe("From 2 on; increases when the file changes").optional(),
  other_filenames: z.array(z.string()).describe("Further files with the same content").optional(),
});

/** Further fields when a single document is shown. */
const details = {
  page_count: z.number().optional(),
  ocr_pages: z.number().optional(),
  ocr_confidence: z.number().optional(),
  resource: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  ...someWarnings,
};

export const shown = z.object({
  ...done,
  documents: z.array(row.extend(details)),
  total_count: z.number(),
  limit: z.number(),
  offset: z.number(),
  message: z.string().optional(),
});
