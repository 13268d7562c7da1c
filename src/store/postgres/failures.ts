// Classifies the database's errors: retry, or report with a remedy. Whatever the database or its client library throws
// gets one of the catalogue's codes; only an error of this program's own code is passed on unchanged.
import { KnowledgeError } from "../../domain/errors.ts";
import { type MessageCode, toMessage } from "../../domain/phrases/messages.ts";

const LOST = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "EADDRNOTAVAIL",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTCONN",
  "ENOTFOUND",
  "EPIPE",
  "EPROTO",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ERR_SOCKET_CLOSED",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
  "57P01", // shut down by an administrator
  "57P02", // crash of another session
  "57P03", // starting up or shutting down
  "57P05", // idle for too long
  "25P03", // idle for too long inside a transaction, because this machine slept
  "25P04", // the transaction took longer than an administrator allows
]);

const CONFLICTS = new Set([
  "40001", // serialization failure
  "40003", // a statement's outcome is unknown
  "40P01", // deadlock
  "55P03", // lock not available
  "53300", // too many connections
  "25006", // read-only: a standby that is about to be promoted, or a fail-over
  // A row that another server stored or removed in the meantime: the next attempt sees it.
  "23503",
  "23505",
  // A connection pooler gave the next statement to another session, which has not prepared it.
  "26000",
  "42P05",
]);

/**
 * The client library began a transaction on a connection that it did not reserve, because too much was waiting to be
 * sent. The connection is left inside that transaction.
 */
export const UNRESERVED = "UNSAFE_TRANSACTION";

export function codeOf(thrown: unknown): string {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

function severityOf(thrown: unknown): unknown {
  return (thrown as { severity?: unknown } | null)?.severity;
}

/** Why a new connection is refused: user, database, rights, resources, damage. */
const REFUSED = /^(28|3D|42|53|57P04|XX00[12])/;

function isFatal(thrown: unknown): boolean {
  return ["FATAL", "PANIC"].includes(String(severityOf(thrown)));
}

/**
 * The connection was lost. If a commit was in progress, its outcome is unknown. The client library also fails the
 * first statement of the next connection with the error that ended the previous one.
 */
export function isLost(thrown: unknown): boolean {
  const code = codeOf(thrown);
  if (LOST.has(code) || code.startsWith("08")) return true;
  return isFatal(thrown) && !REFUSED.test(code);
}

/** True if the connection is closing. After an ERROR, whatever its code, it stays open and waits for a ROLLBACK. */
export function isSessionOver(thrown: unknown): boolean {
  return severityOf(thrown) === undefined ? isLost(thrown) : isFatal(thrown);
}

export function isTransient(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return isLost(thrown) || CONFLICTS.has(code) || code === UNRESERVED;
}

/** By error code, or by the two characters of the code's class. */
const UNAVAILABLE = new Map(
  Object.entries<MessageCode>({
    "28P01": "databasePassword",
    "28": "databaseUser",
    "3D000": "databaseMissing",
    "57P04": "databaseMissing",
    "42501": "databaseRights",
    "57014": "databaseSlow",
    "53200": "databaseMemory",
    "25006": "databaseReading",
    "53300": "databaseAway",
    "58": "databaseDisk",
    // A statement was prepared in another session, or by another program in this one.
    "26000": "databasePooled",
    "42P05": "databasePooled",
    "3F000": "databaseTables",
    "42": "databaseTables",
    "22": "databaseValue",
    "54": "databaseValue",
  }),
);

/** Node's error codes for certificates it does not trust. */
const CERTIFICATE = /CERT|LEAF_SIGNATURE/;

export function toStoreError(cause: unknown): unknown {
  if (cause instanceof KnowledgeError) return cause;
  const code = codeOf(cause);
  if (code === "53100") {
    return new KnowledgeError("STORE_FULL", toMessage("databaseFull"), { cause });
  }
  if (code === "XX001" || code === "XX002") {
    return new KnowledgeError("STORE_CORRUPT", toMessage("databaseDamaged"), { cause });
  }
  const notice = noticeOf(cause, code);
  if (!notice) return cause;
  // The same value would be refused again.
  const kind = notice === "databaseValue" ? "STORE_REFUSED" : "STORE_UNAVAILABLE";
  return new KnowledgeError(kind, toMessage(notice), {
    cause: mayQuoteText(cause, code) ? withoutText(cause, code) : cause,
  });
}

/** PgBouncer's own text, which has the same code as a connection that broke. */
const REFUSED_SETTING = /^unsupported startup parameter/;

function noticeOf(thrown: unknown, code: string): MessageCode | undefined {
  if (thrown instanceof Error && REFUSED_SETTING.test(thrown.message)) return "databasePooler";
  if (CERTIFICATE.test(code)) return "databaseUntrusted";
  if (isLost(thrown)) return UNAVAILABLE.get(code) ?? "databaseAway";
  if (isTransient(thrown)) return UNAVAILABLE.get(code) ?? "databaseRefused";
  if (isDatabaseError(thrown)) return byClass(code);
  return undefined;
}

function byClass(code: string): MessageCode {
  return UNAVAILABLE.get(code) ?? UNAVAILABLE.get(code.slice(0, 2)) ?? "databaseRefused";
}

/** Codes that only the client library throws, besides those in LOST. Node's own codes look alike. */
const LIBRARY = new Set([
  "COPY_IN_PROGRESS",
  "INVALID_TRANSACTION",
  "MAX_PARAMETERS_EXCEEDED",
  "MESSAGE_NOT_SUPPORTED",
  "NOT_TAGGED_CALL",
  "SASL_SIGNATURE_MISMATCH",
  "UNDEFINED_VALUE",
]);

/**
 * The client library attaches the statement to an error that a statement caused; its other errors have its own codes.
 */
function isDatabaseError(thrown: unknown): boolean {
  if (typeof thrown !== "object" || thrown === null) return false;
  return severityOf(thrown) !== undefined || "query" in thrown || LIBRARY.has(codeOf(thrown));
}

/** Errors about a value or from parsing a row quote the value, which may be a document's text. */
function mayQuoteText(thrown: unknown, code: string): boolean {
  return code.startsWith("22") || (severityOf(thrown) === undefined && code === "");
}

function withoutText(thrown: unknown, code: string): Error {
  const name = thrown instanceof Error ? thrown.name : "Error";
  return Object.assign(new Error(`${name} about a value`), code === "" ? {} : { code });
}
