import * as z from "zod";
import { LEFT_OUT } from "../../../domain/task.ts";
import { bounded } from "../../bounded.ts";
import { done, message, method, someWarnings } from "./outcome.ts";

export const addInput = z.object({
  file_path: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(4096, "must have at most 4096 characters")
    .refine((path) => !/^https?:/i.test(path), {
      error:
        "is a web address; use knowledge-add-url if it is available, or save the page as a file and pass its path",
    })
    .describe(
      'A file or folder on the server\'s machine: "/home/me/report.pdf", "~/notes" or file://…',
    ),
  metadata: bounded(z.record(z.string(), z.unknown()))
    .optional()
    .describe('Kept with the document, usable as search filters: {"author": "…", "tags": ["…"]}'),
  force_ocr: z.boolean().default(false).describe("Run OCR on pages even if they have text"),
  async: z
    .boolean()
    .default(true)
    .describe("true: return a task_id at once. false: wait until the document can be searched"),
});

const count = z.number();

/** The outcome of a folder's files. At the end, `found` is the sum of the others. */
export const folderCounts = z.object({
  found: count,
  added: count,
  unchanged: count.describe("Their content was already there"),
  failed: count,
  skipped: count.describe("Images without text, and files deleted in the meantime"),
});

const leftOut = z
  .record(z.string(), count)
  .describe(`Files not counted in found, by reason: ${LEFT_OUT.join(", ")}`);

export const folderReport = folderCounts.extend({
  left_out: leftOut.optional(),
  failures: z
    .array(
      z.object({
        file: z.string(),
        error: z.string(),
        message: z.string(),
        reason: message.optional(),
      }),
    )
    .describe("The first 20 failures"),
});

export const queued = z.object({
  ...done,
  task_id: z.string(),
  message: z.string(),
  estimated_time_seconds: z.number(),
  already_present: z.boolean().optional(),
  document_id: z.string().optional(),
  folder: folderCounts.pick({ found: true }).extend({ left_out: leftOut.optional() }).optional(),
});

export const added = z.object({
  ...done,
  document_id: z.string(),
  filename: z.string(),
  chunks_created: z.number(),
  processing_method: method,
  processing_time_seconds: z.number(),
  already_present: z.boolean().optional(),
  ...someWarnings,
});

export const addedFolder = z.object({
  ...done,
  filename: z.string(),
  chunks_created: z.number(),
  processing_time_seconds: z.number(),
  folder: folderReport,
});
