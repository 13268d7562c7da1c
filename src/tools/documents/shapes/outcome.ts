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
/** A text as a code with values, so that a program can show it in another language. */
export const message = z.object({ code: z.string(), values: z.array(z.string()) });
export const codes = z.array(message);
export const warnings = z.object({ warnings: z.array(z.string()), warning_codes: codes });
/** If there are any. */
export const someWarnings = warnings.partial().shape;
