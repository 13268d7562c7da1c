// The results of knowledge-read: part of a text, or a page that is seen.
import * as z from "zod";
import { span } from "../shapes.ts";
import { done, format, hiddenText, placed, uncertain } from "./shapes.ts";

/** What is before or after the text that was read. */
const side = z.object({ characters: z.number(), heading: z.string().optional() });

const readDocument = {
  ...done,
  document_id: z.string(),
  filename: z.string(),
  format,
  title: z.string().optional(),
  scope: z.string().optional(),
  ...placed,
  resource: z.string(),
};

export const reading = z.object({
  ...readDocument,
  date_added: z.string(),
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
