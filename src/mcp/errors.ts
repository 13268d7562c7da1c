// Turns failures outside tools (resources, prompts, completions) into JSON-RPC errors, whose `data` has the contract's
// `error_type` and `details`.
import { ProtocolError, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { JSON_RPC, type RpcErrorData, toRpcError } from "../domain/call/rpc-error.ts";
import { ERRORS, type KnowledgeError, toKnowledgeError } from "../domain/errors.ts";

export function toProtocolError(thrown: unknown, uri?: string): Error {
  if (thrown instanceof ProtocolError) return thrown;
  const error = toKnowledgeError(thrown);
  const { kind } = ERRORS[error.code];
  if (kind === "not-found" && uri !== undefined)
    return new ResourceNotFoundError(uri, error.message);
  return toThrown(toCode(kind), error.message, toData(error));
}

function toThrown(code: number, words: string, given: Partial<RpcErrorData>): ProtocolError {
  const { message, data } = toRpcError(code, words, given);
  return new ProtocolError(code, message, data);
}

export function invalidParams(errorType: string, message: string): Error {
  return toThrown(JSON_RPC.invalidParams, message, { error_type: errorType });
}

function toCode(kind: (typeof ERRORS)[keyof typeof ERRORS]["kind"]): number {
  return kind === "invalid" || kind === "not-found"
    ? JSON_RPC.invalidParams
    : JSON_RPC.internalError;
}

function toData(error: KnowledgeError): RpcErrorData {
  const details = { retry: ERRORS[error.code].retry, ...error.details };
  return { error_type: error.code.toLowerCase(), details };
}
