// What the database's errors mean: try again, say what to do, or a fault of ours.
import { KnowledgeError } from "../../domain/errors.ts";

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

/** The connection is gone; whether a commit that was under way took place is not known. */
export function isLost(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return LOST.has(code) || code.startsWith("08");
}

export function isTransient(thrown: unknown): boolean {
  return isLost(thrown) || CONFLICTS.has(codeOf(thrown));
}

const UNAVAILABLE: Readonly<Record<string, string>> = {
  "28P01": "The database refused the user or password. Check the database URL.",
  "28000": "The database refused this user. Check the database URL and the server's access rules.",
  "3D000": "The database that the URL names does not exist. Create it, or correct the URL.",
  "42501":
    "The database user lacks a right that the server needs; docs/operations.md lists the least rights.",
  "57014": "The database took too long to answer and the query was stopped. Try again.",
  "53200": "The database server is out of memory. Try again later.",
  "25006": "The database only allows reading at the moment. Try again in a moment.",
};

/** What Node says of a certificate that it does not trust. */
const CERTIFICATE = /CERT|LEAF_SIGNATURE/;
const UNTRUSTED =
  "The database's certificate is not trusted. Name its CA in NODE_EXTRA_CA_CERTS, or use the host name that the certificate is for.";

export function toStoreError(cause: unknown): unknown {
  if (cause instanceof KnowledgeError) return cause;
  const code = codeOf(cause);
  if (code === "53100") {
    const message = "The database server's disk is full. Free space there, then try again.";
    return new KnowledgeError("STORE_FULL", message, { cause });
  }
  if (code === "XX001" || code === "XX002") {
    const message = "The database reports damaged data. Restore it from a backup.";
    return new KnowledgeError("STORE_CORRUPT", message, { cause });
  }
  const known = UNAVAILABLE[code] ?? (CERTIFICATE.test(code) ? UNTRUSTED : undefined);
  if (known) return new KnowledgeError("STORE_UNAVAILABLE", known, { cause });
  if (!isTransient(cause)) return cause;
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    "The database cannot be reached at the moment. Try again shortly; nothing that was acknowledged is lost.",
    { cause },
  );
}
