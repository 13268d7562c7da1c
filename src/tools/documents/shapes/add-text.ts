import * as z from "zod";
import { addInput } from "./add.ts";

// A message may have 16 MB; base64 takes a third more than the bytes.
const MAX_TEXT = 10_000_000;
const MAX_BASE64 = 14_000_000;

export const addTextInput = z.object({
  filename: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(255, "must have at most 255 characters")
    .describe('File name with the extension of its format: "notes.md", "report.pdf"'),
  text: z
    .string()
    .max(MAX_TEXT, `must have at most ${MAX_TEXT} characters`)
    .optional()
    .describe("The content as text; or pass content_base64"),
  content_base64: z
    .string()
    .max(MAX_BASE64, `must have at most ${MAX_BASE64} characters`)
    .optional()
    .describe("The file's bytes in base64, for PDF, Office files and images"),
  metadata: addInput.shape.metadata,
  async: addInput.shape.async,
});
