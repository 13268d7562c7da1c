// Shapes that several tools and views of the documents family share.
import * as z from "zod";
import { HIDDEN_KINDS, PROCESSING_METHODS } from "../../domain/document.ts";
import { LEFT_OUT } from "../../domain/task.ts";
import { bounded, oneOrMore, span, trimmed } from "../shapes.ts";

/** Further fields, such as `document_id` or `max_size_mb`, depend on the code. */
export const failure = z.looseObject({
  success: z.literal(false),
  error: z.string(),
  message: z.string(),
});

export const done = { success: z.literal(true) };
const format = z.string();
const method = z.enum(PROCESSING_METHODS);
const count = z.number();
/** A text as a code with values, so that a program can show it in another language. */
export const message = z.object({ code: z.string(), values: z.array(z.string()) });
const codes = z.array(message);
export const warnings = z.object({ warnings: z.array(z.string()), warning_codes: codes });
/** If there are any. */
const someWarnings = warnings.partial().shape;
export const documentId = trimmed(100);
export const scopeId = trimmed(200).optional();
const OFFSET = "must be a whole number of at least 0";
export const offset = z.int(OFFSET).min(0, OFFSET);

/** The outcome of a folder's files. At the end, `found` is the sum of the others. */
const folderCounts = z.object({
  found: count,
  added: count,
  unchanged: count.describe("Their content was already there"),
  failed: count,
  skipped: count.describe("Images without text, and files deleted in the meantime"),
});

const leftOut = z
  .record(z.string(), count)
  .describe(`Files not counted in found, by reason: ${LEFT_OUT.join(", ")}`);

const fileFailure = z.object({
  file: z.string(),
  error: z.string(),
  message: z.string(),
  reason: message.optional(),
});

const folderReport = folderCounts.extend({
  left_out: leftOut.optional(),
  failures: z.array(fileFailure).describe("The first 20 failures"),
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

/** In results: a slide is its deck's page. */
const placed = {
  page_num: z.number().optional(),
  slide_num: z.number().optional(),
  sheet: z.string().optional(),
};

/** Text that people do not see. */
export const hiddenText = z.object({ ...placed, kind: z.enum(HIDDEN_KINDS), text: z.string() });

export const ofDocument = { document_id: z.string(), filename: z.string() };

export const includeHidden = z.boolean().optional().describe("Also text that people cannot see");

const strings = z.union([z.string(), z.array(z.string()).min(1).max(100)]);

const date = z
  .string()
  .refine((given) => /^\d{4}-\d{2}-\d{2}/.test(given) && !Number.isNaN(Date.parse(given)), {
    error: "must be a date such as 2025-01-31 or an instant such as 2025-01-31T12:00:00Z",
  });

export const uncertain = z
  .array(z.string())
  .describe("Words of it that OCR was not sure of")
  .optional();

export const filters = bounded(
  z
    .object({
      format: strings.optional().describe("pdf, docx, html, md, …"),
      date_range: z
        .strictObject({ start: date.optional(), end: date.optional() })
        .optional()
        .describe("When added; both ends included"),
      modified_from: date.optional().describe("By the source's own date, where known"),
      modified_to: date.optional(),
      as_of: date.optional().describe("Only what was there by then"),
      tags: strings.optional().describe("Any of these tags"),
    })
    .catchall(oneOrMore),
);

export const result = z.object({
  document_id: z.string(),
  chunk_id: z.string(),
  filename: z.string(),
  scope: z.string().optional(),
  chunk_text: z.string(),
  revision: z.number().describe("From 2 on; increases when the file changes").optional(),
  relevance_score: z.number().min(0).max(1),
  strength: z.enum(["strong", "fair", "weak"]).describe("weak: may be about something else"),
  ocr: z.boolean().describe("Read by OCR, so it may be misread").optional(),
  uncertain,
  resource: z
    .string()
    .describe("Resource with the whole document; only on its first result")
    .optional(),
  // Beside what is known of every document, whatever knowledge-add was given.
  metadata: z.looseObject({
    format,
    date_added: z.string(),
    ...placed,
    until: z.object(placed).optional(),
    url: z.string().describe("Only for web pages").optional(),
    modified: z.string().describe("When it was last changed at its source").optional(),
    age: z.string().describe("Only if it is over a year old").optional(),
    superseded_by: z.string().describe("document_id of a newer version").optional(),
    title: z.string().optional(),
    headings: z.array(z.string()).optional(),
    span,
    score_parts: z
      .object({ lexical: z.number().optional(), vector: z.number().optional() })
      .optional(),
  }),
});

export const row = z.object({
  id: z.string(),
  document_id: z.string().describe("The same as id"),
  filename: z.string(),
  format,
  size_bytes: z.number(),
  date_added: z.string(),
  chunk_count: z.number(),
  processing_status: z.string(),
  processing_method: method,
  title: z.string().optional(),
  scope: z.string().optional(),
  url: z.string().describe("Only for web pages").optional(),
  revision: z.number().describe("From 2 on; increases when the file changes").optional(),
  other_filenames: z.array(z.string()).describe("Further files with the same content").optional(),
});

/** Further fields when a single document is shown. */
export const details = {
  page_count: z.number().optional(),
  ocr_pages: z.number().optional(),
  ocr_confidence: z.number().optional(),
  resource: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  ...someWarnings,
};

const open = {
  ...done,
  task_id: z.string(),
  progress: z.number().min(0).max(1),
  current_step: z.string(),
  step_codes: codes,
  completed_steps: z.number(),
  total_steps: z.number(),
  elapsed_time_seconds: z.number(),
  estimated_remaining_seconds: z.number(),
  folder: folderCounts.optional(),
};

const taskResult = z.object({
  document_id: z.string().describe("Absent for a folder").optional(),
  filename: z.string(),
  chunks_created: z.number(),
  already_present: z.boolean().optional(),
  ...someWarnings,
  folder: folderReport.optional(),
});

export const task = z.discriminatedUnion("status", [
  z.object({ ...open, status: z.literal("queued") }),
  z.object({ ...open, status: z.literal("running") }),
  z.object({
    ...done,
    task_id: z.string(),
    status: z.literal("completed"),
    progress: z.number(),
    result: taskResult.optional(),
    total_time_seconds: z.number(),
  }),
  z.object({
    success: z.literal(false),
    task_id: z.string(),
    status: z.literal("failed"),
    error: z.string(),
    message: z.string(),
    reason: message.optional(),
    elapsed_time_seconds: z.number(),
  }),
  z.object({
    ...done,
    task_id: z.string(),
    status: z.literal("cancelled"),
    message: z.string(),
    elapsed_time_seconds: z.number(),
    folder: folderCounts.describe("Files added before the cancel stay").optional(),
  }),
]);

/** A task in the list of them. */
export const listedTask = z.intersection(
  task,
  z.object({ filename: z.string(), created_at: z.string() }),
);

// The results of knowledge-read: part of a text, or a page that is seen.

/** What is before or after the text that was read. */
const side = z.object({ characters: z.number(), heading: z.string().optional() });

const readDocument = {
  ...done,
  document_id: z.string(),
  filename: z.string(),
  format,
  date_added: z.string(),
  title: z.string().optional(),
  scope: z.string().optional(),
  ...placed,
  resource: z.string(),
};

export const reading = z.object({
  ...readDocument,
  text: z.string(),
  ocr: z.boolean().optional(),
  uncertain,
  span,
  headings: z.array(z.string()).optional().describe("The path of headings above the text"),
  before: side,
  after: side,
  hidden: z.array(hiddenText).optional(),
  next_offset: z.number().optional().describe("Absent at the end of the document"),
});

/** The image itself is a separate content block. */
export const seen = z.object({
  ...readDocument,
  image: z.object({
    width: z.number(),
    height: z.number(),
    part: z
      .array(z.number())
      .describe("What it shows: left, top, width and height in shares of the page"),
    marked: z.boolean(),
  }),
  message: z.string(),
});

// The result of knowledge-status.

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
