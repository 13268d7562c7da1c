// MCP over WebSocket: one JSON-RPC message per text frame, at the same path and behind the same guard as HTTP.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type WebSocket, WebSocketServer } from "ws";
import { isSame, type Principal } from "../domain/call/principal.ts";
import type { Quota } from "../domain/call/quota.ts";
import type { HttpOptions } from "./http/http.ts";
import type { Limits } from "./limits.ts";
import { type Listening, MAX_LISTENS, openListening } from "./listen.ts";
import { parseMessage, tooMany, toWireError } from "./message.ts";

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

interface Admitted {
  readonly principal: Principal;
  /** Counts one more message. Returns the seconds to wait before it, 0 if it may pass. */
  readonly countMessage: () => number;
  /** The principal that the connection's token identifies now. */
  readonly recognise: () => Promise<Principal | undefined>;
}

export interface WebSocketOptions extends Pick<HttpOptions, "mcp" | "log" | "maxMessageBytes"> {
  /** How often peers are pinged and their tokens checked again. */
  readonly beatMs: number;
  /** How long one message may take to arrive. */
  readonly messageMs: number;
  readonly limits: Limits;
}

const SUBPROTOCOL = "mcp";
// A client that does not read must not fill the server's memory.
const MAX_BUFFERED_BYTES = 128 * 1024 * 1024;

/** The state of an open connection. */
interface Peer {
  /** It has replied since the last ping. */
  isAlive: boolean;
  readonly admitted: Admitted;
  /** How long ago the first byte of an unfinished message arrived; 0 if there is none. */
  readonly waitingMs: () => number;
}

export type WebSockets = ReturnType<typeof openWebSockets>;

export function openWebSockets(options: WebSocketOptions) {
  const { limits, beatMs } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: options.maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  const peers = new WeakMap<WebSocket, Peer>();
  const beat = setInterval(() => {
    for (const client of server.clients)
      void checkPeer(client, peers.get(client), options.messageMs);
  }, beatMs).unref();

  return {
    /** False if the caller, or all callers together, have reached the limit of connections. */
    accept({ request, socket, head }: Upgrade, admitted: Admitted): boolean {
      const { name } = admitted.principal;
      if (!limits.webSockets.take(name, 1)) return false;
      socket.once("close", () => limits.webSockets.give(name, 1));
      server.handleUpgrade(request, socket, head, (client) => {
        const bounds = { inFlight: limits.inFlight, caller: name };
        const waitingMs = countIncoming(client, socket, bounds);
        const peer = { isAlive: true, admitted, waitingMs };
        peers.set(client, peer);
        client.on("pong", () => {
          peer.isAlive = true;
        });
        serveClient({ client, socket }, admitted, options);
      });
      return true;
    },
    count: () => server.clients.size,
    async close() {
      clearInterval(beat);
      for (const client of server.clients) client.close(1001, "The server is stopping.");
      server.close();
    },
  };
}

/** Ends a connection that is silent, too slow, or whose token no longer identifies its caller. */
async function checkPeer(client: WebSocket, peer: Peer | undefined, messageMs: number) {
  if (!peer?.isAlive || peer.waitingMs() > messageMs) {
    client.terminate();
    return;
  }
  peer.isAlive = false;
  client.ping();
  const { principal, recognise } = peer.admitted;
  const now = await recognise().catch(() => undefined);
  if (!now || !isSame(now, principal)) client.close(1008, "The token was changed or revoked.");
}

interface Connection {
  readonly client: WebSocket;
  readonly socket: Duplex;
}

function serveClient(
  connection: Connection,
  { principal, countMessage }: Admitted,
  { mcp, log }: WebSocketOptions,
): void {
  connection.client.on("error", (error) => log.debug("websocket.error", { error }));
  serveStdio(() => mcp.createServer({ transport: "websocket", principal, lasting: true }), {
    transport: toTransport(connection, countMessage, openListening(mcp, principal)),
    maxSubscriptions: MAX_LISTENS,
    onerror: (error) => log.debug("websocket.error", { error }),
  });
}

function toTransport(
  { client, socket }: Connection,
  countMessage: () => number,
  listening: Listening,
): Transport {
  const write = (message: unknown) => {
    if (client.readyState !== client.OPEN) return;
    if (client.bufferedAmount > MAX_BUFFERED_BYTES) client.terminate();
    else client.send(JSON.stringify(message));
  };
  const refuseLate = (message: JSONRPCMessage, waitSeconds: number) => {
    if ("method" in message && "id" in message) write(tooMany(message.id, waitSeconds));
  };
  const transport: Transport = {
    async start() {
      takeTurns(client, socket, (data, isBinary) => {
        if (isBinary) return client.close(1003, "Messages must be text.");
        const parsed = parseMessage(data);
        const waitSeconds = countMessage();
        if (!parsed.ok) return write(parsed.error);
        if (waitSeconds > 0) return refuseLate(parsed.message, waitSeconds);
        const fault = listening.check(parsed.message);
        if (fault) write(toWireError(fault, parsed.message));
        else transport.onmessage?.(parsed.message);
      });
      client.on("close", () => {
        listening.close();
        transport.onclose?.();
      });
    },
    async send(message: JSONRPCMessage) {
      write(message);
    },
    async close() {
      client.close(1000);
    },
  };
  return transport;
}

// The size of the header of a client's control frame.
const CONTROL_FRAME_BYTES = 6;

/** Counts the bytes of a message while it arrives; the library keeps its parts until it is complete. */
function countIncoming(
  client: WebSocket,
  socket: Duplex,
  { inFlight, caller }: { readonly inFlight: Quota; readonly caller: string },
): Peer["waitingMs"] {
  const state = { held: 0, since: 0 };
  const give = (bytes: number) => {
    const given = Math.min(bytes, state.held);
    inFlight.give(caller, given);
    state.held -= given;
  };
  // Added before the library's own listener, which reports the message that these bytes complete.
  socket.prependListener("data", (part: Buffer) => {
    if (state.held === 0) state.since = performance.now();
    if (inFlight.take(caller, part.length)) state.held += part.length;
    else {
      client.close(1013, "Too much data is being sent at once. Try again in a moment.");
      client.terminate();
    }
  });
  client.on("message", () => give(state.held));
  client.on("ping", (data: Buffer) => give(data.length + CONTROL_FRAME_BYTES));
  client.on("pong", (data: Buffer) => give(data.length + CONTROL_FRAME_BYTES));
  socket.once("close", () => give(state.held));
  return () => (state.held === 0 ? 0 : performance.now() - state.since);
}

// Messages of a WebSocket take turns: one connection gets one message per turn of the event loop, so a burst of thousands
// holds up no other caller. While a client leaves responses unread, no further message of it is taken.

/** More than clients leave unread while they work; a list of tools has about 40 KB. */
const MAX_UNREAD_BYTES = 1024 * 1024;

type Handle = (data: Buffer, isBinary: boolean) => void;

interface Turns extends Connection {
  readonly handle: Handle;
  /** Messages that the library had read before the connection was paused. */
  readonly waiting: Parameters<Handle>[];
  /** True while the next message waits for the next turn, or for the client to read. */
  isHeld: boolean;
}

export function takeTurns(client: WebSocket, socket: Duplex, handle: Handle): void {
  const turns: Turns = { client, socket, handle, waiting: [], isHeld: false };
  client.on("message", (data: Buffer, isBinary: boolean) => {
    turns.waiting.push([data, isBinary]);
    if (turns.isHeld) client.pause();
    else takeTurn(turns);
  });
  client.on("close", () => {
    turns.waiting.length = 0;
  });
}

function takeTurn(turns: Turns): void {
  const { client, socket, handle, waiting } = turns;
  const continueTurns = () => takeTurn(turns);
  const isUnread = client.bufferedAmount > MAX_UNREAD_BYTES;
  const next = isUnread ? undefined : waiting.shift();
  turns.isHeld = waiting.length > 0 || next !== undefined;
  if (next !== undefined) {
    handle(...next);
    setImmediate(continueTurns);
  } else if (turns.isHeld) socket.once("drain", continueTurns);
  else client.resume();
}
