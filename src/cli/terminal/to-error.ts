import { isErrorCode, KnowledgeError } from "../../domain/errors.ts";
import type { Refused } from "../../tools/documents/contract.ts";

/** Turns a tool's error payload back into its error, which decides the exit code. */
export function toError({ error, message }: Pick<Refused, "error" | "message">): KnowledgeError {
  const code = error.toUpperCase();
  return new KnowledgeError(isErrorCode(code) ? code : "INTERNAL", message);
}
