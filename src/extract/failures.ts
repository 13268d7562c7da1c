// The errors by which readers refuse a file: damaged, protected by a password, or over a limit.
import { KnowledgeError } from "../domain/errors.ts";
import { type Message, toMessage } from "../domain/phrases/messages.ts";

export function overLimit(what: string): KnowledgeError {
  return new KnowledgeError("EXTRACTION_LIMIT", `The file was refused: ${what}.`);
}

export function corrupt(what: string | Message, cause?: unknown): KnowledgeError {
  return new KnowledgeError("CORRUPT_FILE", what, cause === undefined ? {} : { cause });
}

export function encrypted(): KnowledgeError {
  return new KnowledgeError(
    "ENCRYPTED_FILE",
    "The file is protected by a password. Save a copy without one and add that.",
  );
}

/** Of a binary Office file or mail. */
export function damaged(cause?: unknown): KnowledgeError {
  return corrupt(toMessage("officeDamaged"), cause);
}
