// The catalogue of failures. A code's lower-case form is what the documents tools put in `error`.
import { type Message, toEnglish, toMessage } from "./phrases/messages.ts";
import { type SystemPlace, systemMeaning } from "./system-error.ts";

export type ErrorKind =
  | "invalid" // the caller's input is invalid
  | "not-found"
  | "denied"
  | "conflict"
  | "unavailable" // something that is needed is unavailable; trying again may help
  | "cancelled"
  | "internal";

export const ERRORS = {
  CONFIG_INVALID: { kind: "invalid", retry: false },
  MISSING_REQUIRED_PARAMETER: { kind: "invalid", retry: false },
  INVALID_PARAMETER: { kind: "invalid", retry: false },
  CONFIRMATION_REQUIRED: { kind: "invalid", retry: false },
  CONFIRMATION_DECLINED: { kind: "cancelled", retry: false },
  UNSUPPORTED_FORMAT: { kind: "invalid", retry: false },
  FILE_TOO_LARGE: { kind: "invalid", retry: false },
  ENCRYPTED_FILE: { kind: "invalid", retry: false },
  CORRUPT_FILE: { kind: "invalid", retry: false },
  EMPTY_DOCUMENT: { kind: "invalid", retry: false },
  EXTRACTION_TIMEOUT: { kind: "invalid", retry: false },
  EXTRACTION_LIMIT: { kind: "invalid", retry: false },
  OCR_FAILED: { kind: "invalid", retry: false },
  ACCESS_DENIED: { kind: "denied", retry: false },
  FILE_UNAVAILABLE: { kind: "unavailable", retry: true },
  FILE_NOT_FOUND: { kind: "not-found", retry: false },
  DOCUMENT_NOT_FOUND: { kind: "not-found", retry: false },
  TASK_NOT_FOUND: { kind: "not-found", retry: false },
  SCOPE_NOT_FOUND: { kind: "not-found", retry: false },
  ENTRY_NOT_FOUND: { kind: "not-found", retry: false },
  RESOURCE_NOT_FOUND: { kind: "not-found", retry: false },
  SCOPE_HAS_CHILDREN: { kind: "conflict", retry: false },
  SCOPE_HAS_DOCUMENTS: { kind: "conflict", retry: false },
  SCOPE_CONFLICT: { kind: "conflict", retry: false },
  EMPTY_KNOWLEDGE_BASE: { kind: "not-found", retry: false },
  INTERRUPTED: { kind: "internal", retry: true },
  MODEL_UNAVAILABLE: { kind: "unavailable", retry: true },
  STORE_UNAVAILABLE: { kind: "unavailable", retry: true },
  STORE_FULL: { kind: "unavailable", retry: true },
  STORE_REFUSED: { kind: "invalid", retry: false },
  STORE_CORRUPT: { kind: "unavailable", retry: false },
  STORE_NOT_EMPTY: { kind: "conflict", retry: false },
  STORE_IN_USE: { kind: "conflict", retry: false },
  STORE_TOO_NEW: { kind: "conflict", retry: false },
  AUDIT_UNAVAILABLE: { kind: "unavailable", retry: true },
  SYSTEM_UNAVAILABLE: { kind: "unavailable", retry: true },
  OVERLOADED: { kind: "unavailable", retry: true },
  ANSWER_AUTHENTICATION: { kind: "denied", retry: false },
  ANSWER_NOT_FOUND: { kind: "not-found", retry: false },
  ANSWER_SERVICE: { kind: "unavailable", retry: true },
  CANCELLED: { kind: "cancelled", retry: false },
  INTERNAL: { kind: "internal", retry: false },
} as const satisfies Record<string, { kind: ErrorKind; retry: boolean }>;

export type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

/**
 * The server lacks something that it needs, whichever file it works on: the work is done later instead of failing. A
 * file that is unavailable concerns only itself.
 */
export function isOutage(code: string): boolean {
  if (!isErrorCode(code) || code === "FILE_UNAVAILABLE") return false;
  const { kind, retry } = ERRORS[code];
  return kind === "unavailable" && retry;
}

/** What failed is not the input: the same may succeed the next time. */
export function mayPass(code: ErrorCode): boolean {
  const { kind } = ERRORS[code];
  return kind === "unavailable" || kind === "cancelled" || kind === "internal";
}

export interface ErrorContext {
  /** Fields for the payload: the contract's own (`max_size_mb`, `document_id`, …). Never host paths. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A failure whose message may be shown to a person or a model: it says what to do next. */
export class KnowledgeError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  /** A message becomes its English text, and the detail `reason`, from which another language makes its own. */
  constructor(code: ErrorCode, message: string | Message, context: ErrorContext = {}) {
    const reason = typeof message === "string" ? undefined : message;
    super(
      reason ? toEnglish(reason) : String(message),
      context.cause === undefined ? undefined : { cause: context.cause },
    );
    this.name = "KnowledgeError";
    this.code = code;
    this.details = { ...context.details, ...(reason && { reason }) };
  }
}

export function denied(...reason: Parameters<typeof toMessage>): KnowledgeError {
  return new KnowledgeError("ACCESS_DENIED", toMessage(...reason));
}

export function tooLarge(reason: "pageTooLarge" | "fileTooLarge", maxBytes: number) {
  const most = maxBytes / 1024 / 1024;
  const details = { max_size_mb: most };
  return new KnowledgeError("FILE_TOO_LARGE", toMessage(reason, most), { details });
}

/** What to tell people about a failure. */
export function messageOf(thrown: unknown): Message {
  const { message, details } = toKnowledgeError(thrown);
  return (details["reason"] as Message | undefined) ?? toMessage("stated", message);
}

/** An error of the operating system as a failure; anything else is returned unchanged. */
export function fromSystem(thrown: unknown, place: SystemPlace): unknown {
  const meaning = thrown instanceof KnowledgeError ? undefined : systemMeaning(thrown, place);
  if (meaning === undefined) return thrown;
  const details = meaning.code === "INVALID_PARAMETER" ? { parameter: "file_path" } : {};
  return new KnowledgeError(meaning.code, meaning.message, { cause: thrown, details });
}

export function toKnowledgeError(given: unknown): KnowledgeError {
  const thrown = fromSystem(given, "system");
  if (thrown instanceof KnowledgeError) return thrown;
  if (thrown instanceof Error && thrown.name === "AbortError") {
    return new KnowledgeError("CANCELLED", "The call was cancelled.", { cause: thrown });
  }
  return new KnowledgeError(
    "INTERNAL",
    "The server hit an unexpected problem; its log has the cause.",
    {
      cause: thrown,
    },
  );
}
