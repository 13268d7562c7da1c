import { ERRORS, type ErrorCode, KnowledgeError } from "../../domain/errors.ts";

/** A tool's error payload as the error it was, so that the exit code is right. */
export function refused(payload: unknown): KnowledgeError {
  const { error = "", message = "" } = payload as { error?: string; message?: string };
  const code = error.toUpperCase();
  return new KnowledgeError(
    Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : "INTERNAL",
    message,
  );
}
