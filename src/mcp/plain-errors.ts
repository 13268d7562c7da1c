// The last look at a message before it leaves: an error that this program did not write itself is answered in fixed
// words, and a task loses the empty content that the SDK asks for.
import type { JSONRPCMessage, Server, Transport } from "@modelcontextprotocol/server";
import { completeRpcError, JSON_RPC, type RpcError, toRpcError } from "../domain/call/rpc-error.ts";
import { toKnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";

/** Errors of our own have `data`; without it the words are the SDK's, a validator's or the engine's. */
export function answerInPlainWords(server: Server, log: Log): void {
  const connect = server.connect.bind(server);
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(toBareTask(toPlain(message, log)), options);
    return connect(transport);
  };
}

// JSON-RPC keeps these for itself; another code came along with an error that was not meant for the wire.
const FIRST_CODE = -32_768;
const LAST_CODE = -32_000;

function toPlain(message: JSONRPCMessage, log: Log): JSONRPCMessage {
  return "error" in message ? { ...message, error: inPlainWords(message.error, log) } : message;
}

function toBareTask(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message)) return message;
  const { content, ...result } = message.result as Readonly<Record<string, unknown>>;
  const isTask = result["resultType"] === "task" || (result["task"] !== undefined && content);
  return isTask ? ({ ...message, result } as JSONRPCMessage) : message;
}

interface Thrown {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

function inPlainWords(error: Thrown, log: Log): RpcError {
  const { code, message: words, data } = error;
  if (data !== undefined) return completeRpcError(error);
  if (code === JSON_RPC.invalidParams) {
    return toRpcError(code, "The parameters do not fit the method; see the protocol's schema.");
  }
  const isKnown = code >= FIRST_CODE && code <= LAST_CODE;
  if (isKnown && code !== JSON_RPC.internalError) return completeRpcError(error);
  log.error("mcp.failed", { code, words });
  return toRpcError(JSON_RPC.internalError, toKnowledgeError(undefined).message);
}
