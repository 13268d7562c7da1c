// What every answer of the documents family has in common: `success`, and the shape of its errors.
import { z } from "zod";
import { CONTRACT_FORMATS, type Place } from "../../domain/document.ts";
import { ERRORS, type ErrorCode, KnowledgeError } from "../../domain/errors.ts";
import type { TaskFailure } from "../../domain/task.ts";
import type { JsonObject, ToolOutput } from "../tool.ts";

export function toError(error: KnowledgeError): JsonObject {
  const formats =
    error.code === "UNSUPPORTED_FORMAT" ? { supported_formats: CONTRACT_FORMATS } : {};
  return {
    success: false,
    error: error.code.toLowerCase(),
    message: error.message,
    ...formats,
    ...error.details,
  };
}

/** A task's failure is reported as the error it was. */
export function fromFailure({ error, message }: TaskFailure): KnowledgeError {
  const code = error.toUpperCase();
  return new KnowledgeError(code in ERRORS ? (code as ErrorCode) : "INTERNAL", message);
}

/**
 * Clients check errors against the output schema too, so a tool's own fields are required of no answer but are
 * checked wherever they are present.
 */
export function answerShape<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject({
    success: z.boolean(),
    error: z.string().optional().describe("What went wrong, as a code; only when success is false"),
    message: z.string().optional(),
    ...(z.object(shape).partial().shape as { [Key in keyof Shape]: z.ZodOptional<Shape[Key]> }),
  });
}

export function answer(payload: JsonObject): ToolOutput {
  return { payload, structured: payload };
}

export function toMegabytes(sizeBytes: number): number {
  return Math.round((sizeBytes / 1024 / 1024) * 10) / 10;
}

export function toSeconds(ms: number): number {
  return Math.round(Math.max(0, ms) / 100) / 10;
}

/** A slide is its deck's page. */
export function toPlacePayload({ page, slide, sheet }: Place): JsonObject {
  const pageNumber = page ?? slide;
  return {
    ...(pageNumber === undefined ? {} : { page_num: pageNumber }),
    ...(slide === undefined ? {} : { slide_num: slide }),
    ...(sheet === undefined ? {} : { sheet }),
  };
}

export function documentNotFound(documentId: string): KnowledgeError {
  return new KnowledgeError("DOCUMENT_NOT_FOUND", `Document with ID '${documentId}' not found`, {
    details: { document_id: documentId },
  });
}
