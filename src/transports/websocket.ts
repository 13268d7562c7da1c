// MCP over WebSocket: one JSON-RPC message per text frame, at the same path and behind the same guard as HTTP.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type WebSocket, WebSocketServer } from "ws";
import { isSame, type Principal } from "../domain/call/principal.ts";
import type { Mcp } from "../mcp/mcp.ts";
import type { Log } from "../observe/log.ts";
import { countIncoming, type Incoming } from "./count-incoming.ts";
import type { Limits } from "./limits.ts";
import { type Listening, MAX_LISTENS, openListening } from "./listen.ts";
import { parseMessage, tooMany } from "./message.ts";
import { takeTurns } from "./turns.ts";

export interface WebSockets {
  /** False if the caller, or all callers together, have reached the limit of connections. */
  accept(upgrade: Upgrade, admitted: Admitted): boolean;
  count(): number;
  close(): Promise<void>;
}

interface Upgrade {
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

export interface WebSocketOptions {
  readonly mcp: Mcp;
  readonly log: Log;
  readonly maxMessageBytes: number;
  /** How often peers are pinged and their tokens checked again. */
  readonly beatMs?: number;
  /** How long one message may take to arrive. */
  readonly messageMs: number;
  readonly limits: Limits;
}

const SUBPROTOCOL = "mcp";
const PING_MS = 30_000;
// A client that does not read must not fill the server's memory.
const MAX_BUFFERED_BYTES = 128 * 1024 * 1024;

/** The state of each open connection. */
interface Peers {
  /** Clients that have replied since the last ping. */
  readonly alive: WeakSet<WebSocket>;
  readonly admissions: WeakMap<WebSocket, Admitted>;
  readonly incoming: WeakMap<WebSocket, Incoming>;
}

export function openWebSockets(options: WebSocketOptions): WebSockets {
  const { limits, beatMs = PING_MS } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: options.maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  const peers: Peers = { alive: new WeakSet(), admissions: new WeakMap(), incoming: new WeakMap() };
  const beat = setInterval(() => {
    for (const client of server.clients) checkPeer(client, peers, options.messageMs);
  }, beatMs).unref();

  return {
    accept({ request, socket, head }, admitted) {
      const { name } = admitted.principal;
      if (!limits.webSockets.take(name, 1)) return false;
      socket.once("close", () => limits.webSockets.give(name, 1));
      server.handleUpgrade(request, socket, head, (client) => {
        const bounds = { inFlight: limits.inFlight, caller: name };
        peers.incoming.set(client, countIncoming(client, socket, bounds));
        peers.admissions.set(client, admitted);
        peers.alive.add(client);
        client.on("pong", () => peers.alive.add(client));
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
function checkPeer(client: WebSocket, peers: Peers, messageMs: number): void {
  const isSlow = (peers.incoming.get(client)?.waitingMs() ?? 0) > messageMs;
  if (!peers.alive.delete(client) || isSlow) {
    client.terminate();
    return;
  }
  client.ping();
  void checkToken(client, peers.admissions.get(client));
}

async function checkToken(client: WebSocket, admitted: Admitted | undefined): Promise<void> {
  const now = await admitted?.recognise().catch(() => undefined);
  if (!admitted || !now || !isSame(now, admitted.principal)) {
    client.close(1008, "The token was changed or revoked.");
  }
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
        const refusal = listening.check(parsed.message);
        if (refusal) write(refusal.response);
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
