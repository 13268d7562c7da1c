// Checks a message before it leaves: errors that this program did not write are replaced by fixed sentences, and
// additions of the SDK that nobody needs are removed, such as a task's empty content and an icon in every result.
import {
  type JSONRPCMessage,
  SERVER_INFO_META_KEY,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";
import { completeRpcError, JSON_RPC, type RpcError, toRpcError } from "../domain/call/rpc-error.ts";
import { toKnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";

/** Our own errors have `data`; without it the message comes from the SDK, a validator or the engine. */
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
