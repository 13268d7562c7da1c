// Bytes or text from a wire → one JSON-RPC message, or the error to answer with.
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";

export type Parsed =
  | { readonly ok: true; readonly message: JSONRPCMessage }
  | { readonly ok: false; readonly error: WireError };

export interface WireError {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

export function parseMessage(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(-32700, "Parse error: this is not JSON.");
  }
  return toMessage(value);
}

/**
 * Cheap checks only: the protocol layer validates the rest per method. What it would drop without a word is
 * mended (members that JSON-RPC does not know) or refused (a `_meta` of another shape) here.
 */
export function toMessage(value: unknown): Parsed {
  if (Array.isArray(value)) return refuse(-32600, "JSON-RPC batches are not supported.");
  if (typeof value !== "object" || value === null) return refuse(-32600, "Not a JSON-RPC message.");
  const { jsonrpc, id, method, result, error, params } = value as Record<string, unknown>;
  const known = typeof id === "string" || Number.isSafeInteger(id);
  const answerTo = known ? (id as string | number) : null;
  if (jsonrpc !== "2.0") return refuse(-32600, 'The member "jsonrpc" must be "2.0".', answerTo);
  if (id !== undefined && !known) return refuse(-32600, "An id is a string or an integer.");
  if (method !== undefined && typeof method !== "string") {
    return refuse(-32600, "A method is a string.", answerTo);
  }
  if (
    params !== undefined &&
    (typeof params !== "object" || params === null || Array.isArray(params))
  ) {
    return refuse(-32602, "Parameters are an object.", answerTo);
  }
  if (method === undefined && !(known && (isObject(result) || isObject(error)))) {
    return refuse(-32600, "Not a JSON-RPC message.", answerTo);
  }
  const message = toKnown(value);
  const meta = (params as { readonly _meta?: unknown } | undefined)?._meta;
  if (method !== undefined && meta !== undefined && !isWellFormed(message)) {
    return refuse(-32602, 'The member "_meta" is not of the protocol\'s shape.', answerTo);
  }
  return { ok: true, message };
}

const OF_CALLS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const OF_ANSWERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "result", "error"]);

function toKnown(value: object): JSONRPCMessage {
  const known = "method" in value ? OF_CALLS : OF_ANSWERS;
  if (Object.keys(value).every((name) => known.has(name))) return value as JSONRPCMessage;
  const kept = Object.entries(value).filter(([name]) => known.has(name));
  return Object.fromEntries(kept) as unknown as JSONRPCMessage;
}

const isWellFormed = (message: JSONRPCMessage) =>
  isJSONRPCRequest(message) || isJSONRPCNotification(message);

export function refuse(
  code: number,
  message: string,
  id: string | number | null = null,
): {
  readonly ok: false;
  readonly error: WireError;
} {
  return { ok: false, error: { jsonrpc: "2.0", id, error: { code, message } } };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
