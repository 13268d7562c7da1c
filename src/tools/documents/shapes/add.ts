import { z } from "zod";
import { bounded } from "../../bounded.ts";
import { done, method, warnings } from "./answer.ts";

export const addInput = z.object({
  file_path: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(4096, "must have at most 4096 characters")
    .refine((path) => !/^https?:/i.test(path), {
      error: "is a web address; save the page as a file and give its path",
    })
    .describe(
      'Path of the file on the server\'s machine: "/home/me/report.pdf", "~/…" or file://…',
    ),
  metadata: bounded(z.record(z.string(), z.unknown()))
    .optional()
    .describe(
      'Kept with the document and usable as search filters, e.g. {"author": "…", "tags": ["…"]}',
    ),
  force_ocr: z
    .boolean()
    .default(false)
    .describe("Read the pages as images even where there is text"),
  async: z
    .boolean()
    .default(true)
    .describe(
      "true: answer at once with a task_id. false: answer when the document can be searched",
    ),
});

export const queued = z.object({
  ...done,
  task_id: z.string(),
  message: z.string(),
  estimated_time_seconds: z.number(),
  already_present: z.boolean().optional(),
  document_id: z.string().optional(),
});

export const added = z.object({
  ...done,
  document_id: z.string(),
  filename: z.string(),
  chunks_created: z.number(),
  processing_method: method,
  processing_time_seconds: z.number(),
  already_present: z.boolean().optional(),
  warnings: warnings.optional(),
});
