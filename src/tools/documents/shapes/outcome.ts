// What every result of the documents family has in common.
import * as z from "zod";
import { PROCESSING_METHODS } from "../../../domain/document.ts";

/** Further fields, such as `document_id` or `max_size_mb`, depend on the code. */
export const failure = z.looseObject({
  success: z.literal(false),
  error: z.string().describe("What went wrong, as a code; only when success is false"),
  message: z.string(),
});

export const done = { success: z.literal(true) };
export const format = z.string();
export const method = z.enum(PROCESSING_METHODS);
export const warnings = z.array(z.string());
