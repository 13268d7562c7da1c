// The last look at an error before it leaves: what this program did not write itself is answered in fixed words.
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";
import { toKnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";

/** Errors of our own have `data`; without it the words are the SDK's, a validator's or the engine's. */
export function answerInPlainWords(server: Server, log: Log): void {
  const connect = server.connect.bind(server);
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(toPlain(message, log), options);
    return connect(transport);
  };
}

// JSON-RPC keeps these for itself; another code came along with an error that was not meant for the wire.
const FIRST_CODE = -32_768;
const LAST_CODE = -32_000;

function toPlain(message: JSONRPCMessage, log: Log): JSONRPCMessage {
  if (!("error" in message) || message.error.data !== undefined) return message;
  const { code, message: words } = message.error;
  if (code === ProtocolErrorCode.InvalidParams) {
    const fixed = "The parameters do not fit the method; see the protocol's schema.";
    return { ...message, error: { code, message: fixed } };
  }
  const isKnown = code >= FIRST_CODE && code <= LAST_CODE;
  if (isKnown && code !== ProtocolErrorCode.InternalError) return message;
  log.error("mcp.failed", { code, words });
  const fixed = toKnowledgeError(undefined).message;
  return { ...message, error: { code: ProtocolErrorCode.InternalError, message: fixed } };
}
