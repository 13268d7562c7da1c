// Failures outside tools (resources, prompts, completions) as JSON-RPC errors, whose `data` has the contract's `error_type`
// and `details`; and the last look at a message before it leaves.
import {
  type JSONRPCMessage,
  ProtocolError,
  ResourceNotFoundError,
  SERVER_INFO_META_KEY,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";
import {
  completeRpcError,
  JSON_RPC,
  type RpcError,
  type RpcErrorData,
  toRpcError,
} from "../domain/call/rpc-error.ts";
import { ERRORS, type KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";

export function toProtocolError(thrown: unknown, uri?: string): Error {
  if (thrown instanceof ProtocolError) return thrown;
  const error = toKnowledgeError(thrown);
  const { kind } = ERRORS[error.code];
  if (kind === "not-found" && uri !== undefined)
    return new ResourceNotFoundError(uri, error.message);
  return toThrown(toCode(kind), error.message, toData(error));
}

function toThrown(code: number, words: string, given: Partial<RpcErrorData>): ProtocolError {
  const { message, data } = toRpcError(code, words, given);
  return new ProtocolError(code, message, data);
}

export function invalidParams(errorType: string, message: string): Error {
  return toThrown(JSON_RPC.invalidParams, message, { error_type: errorType });
}

function toCode(kind: (typeof ERRORS)[keyof typeof ERRORS]["kind"]): number {
  return kind === "invalid" || kind === "not-found"
    ? JSON_RPC.invalidParams
    : JSON_RPC.internalError;
}

function toData(error: KnowledgeError): RpcErrorData {
  const details = { retry: ERRORS[error.code].retry, ...error.details };
  return { error_type: error.code.toLowerCase(), details };
}

/**
 * Errors that this program did not write are replaced by fixed sentences: our own have `data`; without it the message
 * comes from the SDK, a validator or the engine. Additions of the SDK that nobody needs are removed, such as a task's
 * empty content and an icon in every result.
 */
export function plainErrors(server: Server, log: Log): void {
  const connect = server.connect.bind(server);
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!("error" in message)) return send(toSlim(message), options);
      return send({ ...message, error: sanitizeError(message.error, log) }, options);
    };
    return connect(transport);
  };
}

// JSON-RPC reserves these codes; any other code belongs to an error that was not meant for the wire.
const FIRST_CODE = -32_768;
const LAST_CODE = -32_000;

const MAY_BE_SLIMMER = ["resultType", "task", "_meta"];

function toSlim(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message)) return message;
  const whole = message.result as Readonly<Record<string, unknown>>;
  if (!MAY_BE_SLIMMER.some((name) => name in whole)) return message;
  const { content, _meta, ...rest } = whole;
  const isTask = rest["resultType"] === "task" || (rest["task"] !== undefined && content);
  const meta = "supportedVersions" in rest ? _meta : withoutIcons(_meta);
  if (!isTask && meta === _meta) return message;
  const body = { ...rest, ...(meta !== undefined && { _meta: meta }) };
  const result = isTask || content === undefined ? body : { content, ...body };
  return { ...message, result } as JSONRPCMessage;
}

/** Since 2026-07-28 every result names the server; the icon need not be in each. */
function withoutIcons(meta: unknown): unknown {
  const named = meta as Readonly<Record<string, { readonly icons?: unknown }>> | undefined;
  const info = named?.[SERVER_INFO_META_KEY];
  if (info?.icons === undefined) return meta;
  const { icons, ...rest } = info;
  return { ...named, [SERVER_INFO_META_KEY]: rest };
}

interface Thrown {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

function sanitizeError(error: Thrown, log: Log): RpcError {
  const { code, message: words, data } = error;
  if (data !== undefined) return completeRpcError(error);
  if (code === JSON_RPC.invalidParams) {
    return toRpcError(code, "The parameters do not match the method. See the protocol's schema.");
  }
  const isKnown = code >= FIRST_CODE && code <= LAST_CODE;
  if (isKnown && code !== JSON_RPC.internalError) return completeRpcError(error);
  log.error("mcp.failed", { code, words });
  return toRpcError(JSON_RPC.internalError, toKnowledgeError(undefined).message);
}
