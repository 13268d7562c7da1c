// The contract of the documents family: each tool's name and shapes, and the types that others infer from them.
import * as z from "zod";
import type { Place } from "../../domain/document.ts";
import { readInterval } from "../../domain/source.ts";
import type { Given } from "../contract.ts";
import { bounded, required, text, trimmed, whole } from "../shapes.ts";
import {
  added,
  addedFolder,
  details,
  documentId,
  done,
  failure,
  filters,
  hiddenText,
  includeHidden,
  type listedTask,
  message,
  ofDocument,
  offset,
  queued,
  reading,
  result,
  row,
  scopeId,
  seen,
  status,
  task,
  type warnings,
} from "./shapes.ts";

const addInput = z.object({
  file_path: required(trimmed(4096))
    .refine((path) => !/^https?:/i.test(path), {
      error:
        "is a web address; use knowledge-add-url if it is available, or save the page as a file and pass its path",
    })
    .describe(
      'A file or folder on the server\'s machine: "/home/me/report.pdf", "~/notes" or file://…',
    ),
  metadata: bounded(z.record(z.string(), z.unknown()))
    .optional()
    .describe('For search filters: {"author": "…", "tags": ["…"]}'),
  scope: scopeId.describe("Where it belongs; default general"),
  force_ocr: z.boolean().default(false).describe("OCR pages even if they have text"),
  async: z.boolean().default(true).describe("false: wait until it can be searched"),
});
const { metadata, scope, async } = addInput.shape;

const adding = { success: z.union([queued, added, addedFolder]), failure } as const;

export const KNOWLEDGE_ADD = { name: "knowledge-add", input: addInput, ...adding } as const;

/** With `async` false. */
export const ADD_NOW = { ...KNOWLEDGE_ADD, success: z.union([added, addedFolder]) } as const;

export const KNOWLEDGE_ADD_TEXT = {
  name: "knowledge-add-text",
  input: z.object({
    filename: required(trimmed(255)).describe(
      'File name with the extension of its format: "notes.md", "report.pdf"',
    ),
    // A message may have 16 MB; base64 takes a third more than the bytes.
    text: text(10_000_000).optional().describe("Or pass content_base64"),
    content_base64: text(14_000_000)
      .optional()
      .describe("The file's bytes in base64, for PDF, Office files and images"),
    metadata,
    scope,
    async,
  }),
  ...adding,
} as const;

export const KNOWLEDGE_ADD_URL = {
  name: "knowledge-add-url",
  input: z.object({
    url: required(trimmed(2_048)).describe("Address of a public page or file: https://…"),
    refresh: z
      .boolean()
      .default(false)
      .describe("Fetch a page again; if it changed, it replaces its document"),
    metadata,
    scope,
    async,
  }),
  ...adding,
} as const;

/** With `async` false, of one document. */
export const ADD_URL_NOW = { ...KNOWLEDGE_ADD_URL, success: added } as const;

export function topK(usual: number) {
  return whole(1, 50).default(usual);
}

const QUERY = "must have 1 to 500 characters";
const RELEVANCE = "must be a number from 0.0 to 1.0";

const searchInput = z.object({
  query: z
    .string()
    .trim()
    .min(1, QUERY)
    .max(500, QUERY)
    .describe('A question or keywords; identifiers and "quoted phrases" are matched exactly'),
  top_k: topK(10),
  min_relevance: z
    .number(RELEVANCE)
    .min(0, RELEVANCE)
    .max(1, RELEVANCE)
    .optional()
    // The contract's default: a threshold of 0. That weak results are left out as well is not a threshold.
    .meta({
      default: 0,
      description:
        "Lowest relevance_score to return. Without it, weak results are left out and counted; 0 returns them",
    }),
  filters: filters
    .optional()
    .describe(
      'Conditions that must all match, e.g. {"format": "pdf", "date_range": {"start": "2025-01-01"}}. Also filename, title, document_id, path (docs/**/*.md) and metadata given to knowledge-add; a list: any of its values',
    ),
  scope: scopeId.describe("Only this scope and what it inherits"),
  max_chars: whole(100, 10_000).default(1_000).describe("Of each chunk_text"),
  explain: z.boolean().default(false).describe("Explain each score"),
  include_hidden: includeHidden,
});

export const KNOWLEDGE_SEARCH = {
  name: "knowledge-search",
  input: searchInput,
  success: z.object({
    ...done,
    query: z.string(),
    results: z.array(result),
    total_results: z.number(),
    weak_left_out: z.number().optional(),
    hidden: z.array(hiddenText.extend(ofDocument)).optional(),
    message: z.string().optional(),
    search_time_ms: z.number(),
  }),
  failure,
} as const;

export const KNOWLEDGE_READ = {
  name: "knowledge-read",
  input: z.object({
    document_id: required(documentId).describe("From knowledge-search or -show"),
    scope: scopeId,
    chunk_id: trimmed(200).optional().describe("Of a search result: reads around it"),
    page: z
      .union([z.int(), trimmed(200)])
      .optional()
      .describe("Page or slide number, or a sheet's name"),
    heading: trimmed(500).optional().describe("Reads this section"),
    offset: offset.optional().describe("next_offset of the previous call"),
    max_chars: whole(200, 50_000).default(8_000),
    as: z.enum(["text", "image"]).default("text"),
    quote: trimmed(2_000).optional().describe("Words to mark; the image shows their surroundings"),
    include_hidden: includeHidden,
  }),
  success: z.union([reading, seen]),
  failure,
} as const;

export const KNOWLEDGE_SHOW = {
  name: "knowledge-show",
  input: z.object({
    limit: whole(1, 1000).default(100),
    offset: offset.default(0),
    sort_by: z.enum(["date_added", "filename", "size"]).default("date_added"),
    sort_order: z.enum(["asc", "desc"]).default("desc"),
    match: trimmed(200).optional().describe("Part of a filename or title"),
    scope: scopeId,
    document_id: documentId.optional().describe("Only this one, with metadata, pages and warnings"),
  }),
  success: z.object({
    ...done,
    documents: z.array(row.extend(details)),
    total_count: z.number(),
    limit: z.number(),
    offset: z.number(),
    message: z.string().optional(),
  }),
  failure,
} as const;

export const KNOWLEDGE_REMOVE = {
  name: "knowledge-remove",
  input: z.object({
    document_id: required(documentId).describe("From knowledge-search or -show"),
    scope: scopeId,
    confirm: z.boolean().default(false).describe("Without it you only see what would be removed"),
  }),
  success: z.object({
    ...done,
    document_id: z.string(),
    filename: z.string(),
    /** Absent: general. */
    scope: z.string().optional(),
    chunks_removed: z.number(),
    message: z.string(),
  }),
  failure: failure.extend({
    document: z.object({ id: z.string(), filename: z.string(), chunks: z.number() }).optional(),
  }),
} as const;

export const CLEAR_PHRASE = "DELETE ALL";

export const KNOWLEDGE_CLEAR = {
  name: "knowledge-clear",
  input: z.object({
    confirm: z.boolean(),
    confirmation_phrase: z.string(),
    scope: scopeId.describe("Only this scope"),
  }),
  success: z.object({
    ...done,
    documents_removed: z.number(),
    embeddings_removed: z.number(),
    storage_freed_mb: z.number(),
    tasks_cancelled: z.number().optional(),
    message: z.string(),
  }),
  failure: failure.extend({ current_document_count: z.number().optional() }),
} as const;

export const KNOWLEDGE_STATUS = {
  name: "knowledge-status",
  input: z.object({}),
  success: status,
  failure,
} as const;

const taskInput = z.object({
  task_id: z.uuid("must be a task_id that knowledge-add returned (a UUID)"),
});

export const KNOWLEDGE_TASK_STATUS = {
  name: "knowledge-task-status",
  input: taskInput,
  success: task,
  failure,
} as const;

export const KNOWLEDGE_TASK_CANCEL = {
  name: "knowledge-task-cancel",
  input: taskInput,
  success: z.object({
    ...done,
    task_id: z.string(),
    status: z.string(),
    message: z.string(),
  }),
  failure,
} as const;

const EVERY = "must be a time such as 30m, 6h or 1d";

const sourceInput = z.object({
  action: z.enum(["list", "add", "sync", "pause", "resume", "remove"]),
  source_id: trimmed(100).optional(),
  address: trimmed(2_048)
    .optional()
    .describe("To add: a URL (pages below it follow), or a folder's whole path"),
  every: trimmed(10)
    .refine((given) => readInterval(given) !== undefined, { error: EVERY })
    .optional()
    .describe("30m, 6h, 1d; without it only when asked"),
  include: z
    .array(required(trimmed(500)))
    .max(100)
    .optional()
    .describe("Patterns as in .gitignore"),
  scope: scopeId,
});

const listedSource = z.object({
  source_id: z.string(),
  kind: z.string(),
  address: z.string(),
  scope: z.string().optional(),
  items: z.number(),
  failed: z.number(),
  state: z.enum(["idle", "syncing", "paused"]),
  every: z.string().optional(),
  task_id: z.string().optional(),
  last_sync: z.string().optional(),
  next_sync: z.string().optional(),
  problem: z.string().optional(),
  problem_code: message.optional(),
  failures: z
    .array(
      z.object({
        item: z.string(),
        error: z.string(),
        message: z.string(),
        reason: message.optional(),
      }),
    )
    .optional(),
});

export const KNOWLEDGE_SOURCES = {
  name: "knowledge-sources",
  input: sourceInput,
  success: z.object({ ...done, sources: z.array(listedSource) }),
  failure,
} as const;

export type { HiddenKind, Place } from "../../domain/document.ts";

type Output<Schema extends z.ZodType> = Given<z.output<Schema>>;

export type SourceCall = z.output<typeof sourceInput>;
export type Queued = Output<typeof queued>;
export type Added = Output<typeof added>;
export type AddedFolder = Output<typeof addedFolder>;
export type Refused = Output<typeof failure>;
export type SearchAnswer = Output<typeof KNOWLEDGE_SEARCH.success>;
export type SearchResult = SearchAnswer["results"][number];
export type Filters = z.output<typeof filters>;
export type DocumentList = Output<typeof KNOWLEDGE_SHOW.success>;
export type DocumentRow = DocumentList["documents"][number];
export type Status = Output<typeof KNOWLEDGE_STATUS.success>;
export type TaskPayload = Output<typeof task>;
export type TaskState = TaskPayload["status"];
export type ListedTask = Output<typeof listedTask>;

/** knowledge://tasks */
export interface TasksView {
  readonly tasks: readonly ListedTask[];
  /** Also those that are not listed. */
  readonly open: { readonly queued: number; readonly running: number };
}

/** Where in its document something is. */
interface Placed {
  readonly start: number;
  readonly end: number;
  readonly place: Place;
}

/** knowledge://documents/{id}/passages */
export interface DocumentView {
  readonly document: Output<typeof row> & Output<typeof warnings>;
  readonly text: string;
  readonly blocks: readonly Placed[];
  readonly passages: readonly (Placed & {
    readonly id: string;
    readonly headings: readonly string[];
  })[];
  /** Where words are that OCR may have misread. */
  readonly uncertain: readonly (readonly [start: number, end: number])[];
}

/** A document's original as the console shows it beside the text. The version changes with the document's content. */
export type OriginalView =
  /** Rendered pages, drawn slides, or one picture. */
  | {
      readonly kind: "pages";
      readonly unit: "page" | "slide";
      readonly count: number;
      readonly version: string;
    }
  /** An SVG, which the browser paints. */
  | { readonly kind: "drawing"; readonly version: string }
  | { readonly kind: "text-only" }
  /** The original is missing from the store. */
  | { readonly kind: "missing" };

export const IMAGE_SIZES = ["small", "normal", "large"] as const;
export type ImageSize = (typeof IMAGE_SIZES)[number];

export type { PageWord } from "../../text/page-boxes.ts";
