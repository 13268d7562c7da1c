// Failures outside of tools (resources, prompts, completions) become JSON-RPC errors here.
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

function toCode(kind: (typeof ERRORS)[keyof typeof ERRORS]["kind"]): number {
  return kind === "invalid" || kind === "not-found"
    ? ProtocolErrorCode.InvalidParams
    : ProtocolErrorCode.InternalError;
}

function toData(error: KnowledgeError) {
  return { error: error.code.toLowerCase(), retry: ERRORS[error.code].retry, ...error.details };
}
