// MCP over WebSocket: one JSON-RPC message a text frame, at the same path and behind the same guard as HTTP.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type WebSocket, WebSocketServer } from "ws";
import type { Principal } from "../domain/principal.ts";
import type { Mcp } from "../mcp/mcp.ts";
import type { Log } from "../observe/log.ts";
import { parseMessage } from "./message.ts";

export interface WebSockets {
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, principal: Principal): void;
  count(): number;
  close(): Promise<void>;
}

export interface WebSocketOptions {
  readonly mcp: Mcp;
  readonly log: Log;
  readonly maxMessageBytes: number;
}

const SUBPROTOCOL = "mcp";
const PING_MS = 30_000;
// A client that does not read must not fill the server's memory.
const MAX_BUFFERED_BYTES = 128 * 1024 * 1024;

export function openWebSockets({ mcp, log, maxMessageBytes }: WebSocketOptions): WebSockets {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  const alive = new WeakSet<WebSocket>();
  const beat = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, PING_MS);
  beat.unref();

  return {
    accept(request, socket, head, principal) {
      server.handleUpgrade(request, socket, head, (client) => {
        alive.add(client);
        client.on("pong", () => alive.add(client));
        client.on("error", (error) => log.debug("websocket.error", { error }));
        serveStdio(() => mcp.createServer({ transport: "websocket", principal, lasting: true }), {
          transport: toTransport(client),
          onerror: (error) => log.debug("websocket.error", { error }),
        });
      });
    },
    count: () => server.clients.size,
    async close() {
      clearInterval(beat);
      for (const client of server.clients) client.close(1001, "The server stops.");
      server.close();
    },
  };
}

function toTransport(client: WebSocket): Transport {
  const write = (message: unknown) => {
    if (client.readyState !== client.OPEN) return;
    if (client.bufferedAmount > MAX_BUFFERED_BYTES) client.terminate();
    else client.send(JSON.stringify(message));
  };
  const transport: Transport = {
    async start() {
      client.on("message", (data: Buffer, isBinary: boolean) => {
        if (isBinary) return client.close(1003, "Messages are text.");
        const parsed = parseMessage(data.toString("utf8"));
        if (parsed.ok) transport.onmessage?.(parsed.message);
        else write(parsed.error);
      });
      client.on("close", () => transport.onclose?.());
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
