// What every result of the documents family has in common: `success`, and the shape of its errors.

import { CONTRACT_FORMATS, type Place } from "../../domain/document.ts";
import { isErrorCode, KnowledgeError } from "../../domain/errors.ts";
import { type Message, toEnglish } from "../../domain/phrases/messages.ts";
import type { TaskFailure } from "../../domain/task.ts";
import type { ToolOutput } from "../tool.ts";
import type { Refused, SearchResult } from "./contract.ts";

export function toError(error: KnowledgeError): Refused {
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
export function fromFailure({ error, message, reason }: TaskFailure): KnowledgeError {
  const code = error.toUpperCase();
  return new KnowledgeError(isErrorCode(code) ? code : "INTERNAL", reason ?? message);
}

export function respond<Payload>(payload: Payload): ToolOutput<Payload> {
  return { payload, structured: payload };
}

export function toWarnings(warnings: readonly Message[]) {
  return { warnings: warnings.map(toEnglish), warning_codes: [...warnings] };
}

/** Its text as a resource. */
export function documentUri(documentId: string): string {
  return `knowledge://documents/${documentId}`;
}

export function toMegabytes(sizeBytes: number): number {
  return Math.round((sizeBytes / 1024 / 1024) * 10) / 10;
}

export function toSeconds(ms: number): number {
  return Math.round(Math.max(0, ms) / 100) / 10;
}

/** A slide counts as a page. */
export function toPlacePayload({
  page,
  slide,
  sheet,
}: Place): Pick<SearchResult["metadata"], "page_num" | "slide_num" | "sheet"> {
  const pageNumber = page ?? slide;
  return {
    ...(pageNumber === undefined ? {} : { page_num: pageNumber }),
    ...(slide === undefined ? {} : { slide_num: slide }),
    ...(sheet === undefined ? {} : { sheet }),
  };
}

export function invalidParameter(
  parameter: string,
  problem: string,
  more: Readonly<Record<string, unknown>> = {},
): KnowledgeError {
  return new KnowledgeError("INVALID_PARAMETER", `'${parameter}': ${problem}.`, {
    details: { parameter, ...more },
  });
}

export function documentNotFound(documentId: string): KnowledgeError {
  return new KnowledgeError("DOCUMENT_NOT_FOUND", `Document with ID '${documentId}' not found`, {
    details: { document_id: documentId },
  });
}
