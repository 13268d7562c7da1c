// Bytes or text from a wire → one JSON-RPC message, or the error to respond with.
import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import { isJsonObject, wrapArguments } from "../domain/call/json-object.ts";
import { JSON_RPC, type RpcError, toRpcError } from "../domain/call/rpc-error.ts";
import { findId, parseBounded } from "./bounded-json.ts";

export type ParsedMessage =
  | { readonly ok: true; readonly message: JSONRPCMessage }
  | { readonly ok: false; readonly error: WireError };

export interface WireError {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: RpcError;
}

export type ParsedValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: WireError };

/** The only way from bytes to a value, used by every transport. */
export function parseValue(bytes: Buffer): ParsedValue {
  const json = parseBounded(bytes);
  switch (json.kind) {
    case "value":
      return { ok: true, value: wrapArguments(json.value) };
    case "not-json":
      return refuse(JSON_RPC.parseError, "Parse error: this is not JSON.");
    case "out-of-bounds":
      return refuse(JSON_RPC.invalidRequest, json.reason, findId(bytes));
  }
}

/** More messages than agents send at once. */
const MAX_BATCH = 100;

/** The messages of a batch, each parsed separately, or the error if it is not a batch. */
export function toBatch(
  values: readonly unknown[],
): { readonly ok: true; readonly messages: readonly ParsedMessage[] } | ReturnType<typeof refuse> {
  if (values.length === 0) return refuse(JSON_RPC.invalidRequest, "The batch is empty.");
  if (values.length > MAX_BATCH) {
    return refuse(JSON_RPC.invalidRequest, `A batch can have at most ${MAX_BATCH} messages.`);
  }
  const messages = values.map(toRpcMessage);
  const handshake = messages.some(
    (each) => each.ok && "method" in each.message && each.message.method === "initialize",
  );
  if (!handshake) return { ok: true, messages };
  return refuse(JSON_RPC.invalidRequest, "Send initialize on its own, not in a batch.");
}

export function parseMessage(bytes: Buffer): ParsedMessage {
  const read = parseValue(bytes);
  return read.ok ? toRpcMessage(read.value) : read;
}

/**
 * Only cheap checks, because the protocol layer validates the rest per method. Where that layer would silently drop a
 * message, this removes the cause (unknown JSON-RPC members) or refuses it (a malformed `_meta`).
 */
export function toRpcMessage(value: unknown): ParsedMessage {
  if (Array.isArray(value))
    return refuse(JSON_RPC.invalidRequest, "JSON-RPC batches are not supported here.");
  if (!isJsonObject(value)) return refuse(JSON_RPC.invalidRequest, "Not a JSON-RPC message.");
  const { id, method, params } = value;
  const respondTo = isId(id) ? id : null;
  const fault = faultOf(value);
  if (fault !== undefined) return refuse(JSON_RPC.invalidRequest, fault, respondTo);
  if (params !== undefined && !isJsonObject(params)) {
    return refuse(JSON_RPC.invalidParams, "Parameters must be an object.", respondTo);
  }
  if (method === undefined && !isResponse(value)) {
    return refuse(JSON_RPC.invalidRequest, "Not a JSON-RPC message.", respondTo);
  }
  const message = withKnownMembers(value);
  const meta = (params as { readonly _meta?: unknown } | undefined)?._meta;
  if (method !== undefined && meta !== undefined && !isWellFormed(message)) {
    return refuse(
      JSON_RPC.invalidParams,
      'The member "_meta" does not match the protocol\'s schema.',
      respondTo,
    );
  }
  if (method === "initialize" && respondTo !== null && !isInitializeRequest(message)) {
    const needed = "protocolVersion, capabilities and clientInfo with name and version";
    return refuse(JSON_RPC.invalidParams, `To initialize, send ${needed}.`, respondTo);
  }
  return { ok: true, message };
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isSafeInteger(id);
}

/** The reason why it is not a JSON-RPC message, if any. */
function faultOf({ jsonrpc, id, method }: Record<string, unknown>): string | undefined {
  if (jsonrpc !== "2.0") return 'The member "jsonrpc" must be "2.0".';
  if (id !== undefined && !isId(id)) return "An id must be a string or an integer.";
  if (method !== undefined && typeof method !== "string") return "A method must be a string.";
  return undefined;
}

function isResponse({ id, result, error }: Record<string, unknown>): boolean {
  return isId(id) && (isObject(result) || isObject(error));
}

const REQUEST_MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const RESPONSE_MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "result", "error"]);

function withKnownMembers(value: object): JSONRPCMessage {
  const known = "method" in value ? REQUEST_MEMBERS : RESPONSE_MEMBERS;
  if (Object.keys(value).every((name) => known.has(name))) return value as JSONRPCMessage;
  const kept = Object.entries(value).filter(([name]) => known.has(name));
  return Object.fromEntries(kept) as unknown as JSONRPCMessage;
}

const isWellFormed = (message: JSONRPCMessage) =>
  isJSONRPCRequest(message) || isJSONRPCNotification(message);

/** The revision that a response to `initialize` agrees on. */
export function revisionIn(message: JSONRPCMessage): string | undefined {
  const { protocolVersion } = ("result" in message ? message.result : {}) as {
    readonly protocolVersion?: unknown;
  };
  return typeof protocolVersion === "string" ? protocolVersion : undefined;
}

export function refuse(
  code: number,
  message: string,
  id: string | number | null = null,
): {
  readonly ok: false;
  readonly error: WireError;
} {
  return { ok: false, error: { jsonrpc: "2.0", id, error: toRpcError(code, message) } };
}

/** For a message that is refused after it was read. */
export function toWireError(
  { code, message }: Pick<RpcError, "code" | "message">,
  to: JSONRPCMessage,
): WireError {
  return refuse(code, message, "id" in to ? (to.id ?? null) : null).error;
}

export function tooMany(id: string | number, waitSeconds: number) {
  const details = { retry_after_seconds: Math.ceil(waitSeconds) };
  const message = `Rate limit exceeded. Retry in ${details.retry_after_seconds} s.`;
  const error = toRpcError(JSON_RPC.refused, message, { error_type: "rate_limited", details });
  return { jsonrpc: "2.0", id, error };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
