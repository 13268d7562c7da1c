// Failures outside of tools (resources, prompts, completions) become JSON-RPC errors here; their `data` has the
// contract's `error_type` and `details`.
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { ERRORS, type KnowledgeError, toKnowledgeError } from "../domain/errors.ts";

export function toProtocolError(thrown: unknown, uri?: string): Error {
  if (thrown instanceof ProtocolError) return thrown;
  const error = toKnowledgeError(thrown);
  const { kind } = ERRORS[error.code];
  if (kind === "not-found" && uri !== undefined)
    return new ResourceNotFoundError(uri, error.message);
  return new ProtocolError(toCode(kind), error.message, toData(error));
}

export function invalidParams(errorType: string, message: string): Error {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, {
    error_type: errorType,
    details: {},
  });
}

function toCode(kind: (typeof ERRORS)[keyof typeof ERRORS]["kind"]): number {
  return kind === "invalid" || kind === "not-found"
    ? ProtocolErrorCode.InvalidParams
    : ProtocolErrorCode.InternalError;
}

function toData(error: KnowledgeError) {
  const details = { retry: ERRORS[error.code].retry, ...error.details };
  return { error_type: error.code.toLowerCase(), details };
}
