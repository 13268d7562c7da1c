import { isErrorCode, KnowledgeError } from "../../domain/errors.ts";
import type { Refused } from "../../tools/documents/contract.ts";

/** A tool's error payload as the error it was, so that the exit code is right. */
export function refused({ error, message }: Pick<Refused, "error" | "message">): KnowledgeError {
  const code = error.toUpperCase();
  return new KnowledgeError(isErrorCode(code) ? code : "INTERNAL", message);
}
