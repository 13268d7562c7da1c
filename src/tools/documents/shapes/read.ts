import * as z from "zod";
import { done, format } from "./outcome.ts";
import { documentId } from "./show.ts";

const CHARACTERS = "must be a whole number from 200 to 50000";
const OFFSET = "must be a whole number of at least 0";

export const readInput = z.object({
  document_id: documentId
    .min(1, "must not be empty")
    .describe("From knowledge-search or knowledge-show"),
  chunk_id: z
    .string()
    .trim()
    .max(200, "must have at most 200 characters")
    .optional()
    .describe("From a search result: read the text around it"),
  page: z
    .union([z.int(), z.string().trim().max(200, "must have at most 200 characters")])
    .optional()
    .describe("Page or slide number, or a sheet's name"),
  heading: z
    .string()
    .trim()
    .max(500, "must have at most 500 characters")
    .optional()
    .describe("Read this section, up to the next heading of its level"),
  offset: z
    .int(OFFSET)
    .min(0, OFFSET)
    .optional()
    .describe("Continue from here: next_offset of the previous call"),
  max_chars: z
    .int(CHARACTERS)
    .min(200, CHARACTERS)
    .max(50_000, CHARACTERS)
    .default(8_000)
    .describe("Maximum number of characters"),
});

/** What is before or after the text that was read. */
const side = z.object({ characters: z.number(), heading: z.string().optional() });

export const read = z.object({
  ...done,
  document_id: z.string(),
  filename: z.string(),
  format,
  title: z.string().optional(),
  text: z.string(),
  span: z.object({ start: z.number(), end: z.number() }),
  page_num: z.number().optional(),
  slide_num: z.number().optional(),
  sheet: z.string().optional(),
  headings: z.array(z.string()).optional().describe("The path of headings above the text"),
  before: side,
  after: side,
  next_offset: z.number().optional().describe("Absent at the end of the document"),
  resource: z.string(),
});
