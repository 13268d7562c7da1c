// How requests are refused: the HTTP status and the JSON-RPC error.
import type { Duplex } from "node:stream";
import { JSON_RPC } from "../../domain/call/rpc-error.ts";
import type { Fault } from "./exchange.ts";

const busy = (message: string, seconds: number) => ({
  status: 503,
  code: JSON_RPC.refused,
  message,
  headers: { "Retry-After": String(seconds) },
});
const invalid = (message: string, status = 400) => ({
  status,
  code: JSON_RPC.invalidRequest,
  message,
});

export const RETRY_LATER = { "Retry-After": "30" };
export const FULL = busy("The server is overloaded. Try again in a moment.", 1);
export const TOO_MANY = busy("Too many open sessions or streams. Close some first.", 30);
export const TOO_MANY_UPLOADS = busy("Too many uploads at once. Try again when one has ended.", 1);
export const UNKNOWN_SESSION = {
  status: 404,
  code: JSON_RPC.unknownSession,
  message: "Unknown session. Initialize again.",
};
export const UNKNOWN_VERSION = invalid(
  "The MCP-Protocol-Version header names an unsupported version.",
);
export const NOT_JSON = invalid("The body must be application/json.", 415);
export const NO_BATCHES = invalid(
  "Only revision 2025-03-26 has JSON-RPC batches; send one message at a time.",
);
export const ID_IN_USE = invalid("A request with this id is still running in the session.");
export const USE_POST = { ...invalid("Use POST.", 405), headers: { Allow: "POST" } };
export const RESPONSE_WITHOUT_SESSION = invalid("A response needs a session.");

export function toBodyFault(kind: "too-large" | "no-room" | "too-slow", maxBytes: number): Fault {
  if (kind === "too-large") {
    return invalid(`The body is larger than ${Math.floor(maxBytes / 1_048_576)} MB.`, 413);
  }
  if (kind === "no-room") {
    return busy("Too much data is being sent at once. Try again in a moment.", 1);
  }
  const message = "The body did not arrive in time.";
  return { status: 408, code: JSON_RPC.refused, message, headers: { Connection: "close" } };
}

/**
 * Ends a connection whose request is unreadable or never arrives. If the client sent nothing, nothing is sent back:
 * browsers open connections in advance and would take an error for the response to their next request.
 */
export function endUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const isSilent = isLate && "bytesRead" in socket && socket.bytesRead === 0;
  if (isSilent || !socket.writable) socket.destroy();
  else {
    const status = isLate ? "408 Request Timeout" : "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    // A peer that does not close its side would keep the connection, and its share of the quotas, forever.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }
}

/** Leaves the client time to read the response. */
const LINGER_MS = 1_000;
