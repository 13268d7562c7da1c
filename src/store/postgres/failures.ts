// Classifies the database's errors: retry, report with a remedy, or a bug.
import { KnowledgeError } from "../../domain/errors.ts";
import { describeNotice, type Notice } from "../../domain/phrases/notices.ts";

const LOST = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "57P01", // shut down by an administrator
  "57P02", // crash of another session
  "57P03", // starting up or shutting down
  "57P05", // idle for too long
  "25P03", // the same inside a transaction: this machine slept
]);

const CONFLICTS = new Set([
  "40001", // serialization failure
  "40P01", // deadlock
  "55P03", // lock not available
  "53300", // too many connections
  "25006", // read-only: a standby that is about to be promoted, or a fail-over
]);

export function codeOf(thrown: unknown): string {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** The connection was lost. If a commit was under way, its outcome is unknown. */
export function isLost(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return LOST.has(code) || code.startsWith("08");
}

export function isTransient(thrown: unknown): boolean {
  return isLost(thrown) || CONFLICTS.has(codeOf(thrown));
}

const UNAVAILABLE: Readonly<Record<string, Notice>> = {
  "28P01": "databasePassword",
  "28000": "databaseUser",
  "3D000": "databaseMissing",
  "42501": "databaseRights",
  "57014": "databaseSlow",
  "53200": "databaseMemory",
  "25006": "databaseReading",
};

/** Node's error codes for certificates it does not trust. */
const CERTIFICATE = /CERT|LEAF_SIGNATURE/;

export function toStoreError(cause: unknown): unknown {
  if (cause instanceof KnowledgeError) return cause;
  const code = codeOf(cause);
  if (code === "53100") {
    return new KnowledgeError("STORE_FULL", describeNotice("databaseFull"), { cause });
  }
  if (code === "XX001" || code === "XX002") {
    return new KnowledgeError("STORE_CORRUPT", describeNotice("databaseDamaged"), { cause });
  }
  const known = UNAVAILABLE[code] ?? (CERTIFICATE.test(code) ? "databaseUntrusted" : undefined);
  if (known) return new KnowledgeError("STORE_UNAVAILABLE", describeNotice(known), { cause });
  if (!isTransient(cause)) return cause;
  return new KnowledgeError("STORE_UNAVAILABLE", describeNotice("databaseAway"), { cause });
}
