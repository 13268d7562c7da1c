import * as z from "zod";
import { bounded } from "../../bounded.ts";
import { done, format } from "./outcome.ts";

const QUERY = "must have 1 to 500 characters";
const TOP_K = "must be a whole number from 1 to 50";
const RELEVANCE = "must be a number from 0.0 to 1.0";
const MAX_CHARS = "must be a whole number from 100 to 10000";

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const oneOrMore = z.union([scalar, z.array(scalar).min(1).max(100)]);
const strings = z.union([z.string(), z.array(z.string()).min(1).max(100)]);

const date = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)), {
    error: "must be a date such as 2025-01-31 or an instant such as 2025-01-31T12:00:00Z",
  });

export const filters = bounded(
  z
    .object({
      format: strings.optional().describe("As in the results: pdf, docx, html, md, …"),
      date_range: z
        .strictObject({ start: date.optional(), end: date.optional() })
        .optional()
        .describe("When the document was added; both ends included"),
      tags: strings.optional().describe("Documents with any of these tags"),
    })
    .catchall(oneOrMore),
);

export function topK(usual: number) {
  const count = z.int(TOP_K).min(1, TOP_K).max(50, TOP_K);
  return count.default(usual).describe("Maximum number of results");
}

export const searchInput = z.object({
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
    .default(0)
    .describe("Leave out results with a lower relevance_score"),
  filters: filters
    .optional()
    .describe(
      'Conditions that must all match, e.g. {"format": "pdf", "date_range": {"start": "2025-01-01"}}. Other keys: filename, title, document_id, path (a glob: docs/**/*.md), and any metadata passed to knowledge-add (author, …); a list matches any of its values',
    ),
  max_chars: z
    .int(MAX_CHARS)
    .min(100, MAX_CHARS)
    .max(10_000, MAX_CHARS)
    .default(2_000)
    .describe("Maximum characters of each chunk_text"),
  explain: z.boolean().default(false).describe("Explain each score"),
});

const span = z.object({ start: z.number(), end: z.number() });

/** In results: a slide is its deck's page. */
const placed = {
  page_num: z.number().optional(),
  slide_num: z.number().optional(),
  sheet: z.string().optional(),
};

const result = z.object({
  document_id: z.string(),
  chunk_id: z.string(),
  filename: z.string(),
  chunk_text: z.string(),
  revision: z.number().describe("From 2 on; increases when the file changes").optional(),
  relevance_score: z.number().min(0).max(1),
  strength: z.enum(["strong", "fair", "weak"]).describe("weak: may be about something else"),
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
    title: z.string().optional(),
    headings: z.array(z.string()).optional(),
    span,
    score_parts: z
      .object({ lexical: z.number().optional(), vector: z.number().optional() })
      .optional(),
  }),
});

export const found = z.object({
  ...done,
  query: z.string(),
  results: z.array(result),
  total_results: z.number(),
  message: z.string().optional(),
  search_time_ms: z.number(),
});
