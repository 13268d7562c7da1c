// Real MCP clients: the current SDK in each of its modes, and the one before it.
import {
  Client,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "sdk-v1/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "sdk-v1/client/streamableHttp.js";
import type { Transport as OldTransport } from "sdk-v1/shared/transport.js";

export const TRANSPORTS = ["stdio", "http", "websocket"] as const;
export type TransportName = (typeof TRANSPORTS)[number];
export const CLIENTS = ["1.x", "2.x, sessions", "2.x, 2026-07-28"] as const;
export type ClientName = (typeof CLIENTS)[number];

export const MODES = {
  legacy: { versionNegotiation: { mode: "legacy" } },
  auto: { versionNegotiation: { mode: "auto" } },
  modern: { versionNegotiation: { mode: { pin: "2026-07-28" } } },
} as const;
export type Mode = keyof typeof MODES;

const NAME = { name: "test-client", version: "1.0.0" };

export async function connect(
  transport: Transport,
  mode: Mode,
  options: {
    readonly capabilities?: Record<string, object>;
    readonly prepare?: (client: Client) => void;
  } = {},
): Promise<Client> {
  const client = new Client(NAME, { ...MODES[mode], capabilities: options.capabilities ?? {} });
  options.prepare?.(client);
  await client.connect(transport);
  return client;
}

export async function connectOld(transport: OldTransport): Promise<OldClient> {
  const client = new OldClient(NAME, { capabilities: {} });
  await client.connect(transport);
  return client;
}

/** By its name, on a transport of its version; those written here serve both. */
export function connectAs(name: ClientName, transport: Transport | OldTransport) {
  if (name === "1.x") return connectOld(transport as OldTransport);
  return connect(transport as Transport, name === "2.x, sessions" ? "legacy" : "modern");
}

/** `url` ends in `/mcp`. */
export function dialAs(name: ClientName, over: "http" | "websocket", url: string) {
  if (over === "websocket") return connectAs(name, webSocketTransport(url.replace("http", "ws")));
  const Http = name === "1.x" ? OldHttp : StreamableHTTPClientTransport;
  return connectAs(name, new Http(new URL(url)) as Transport);
}

/**
 * Over HTTP a client of a session asks for a stream beside its calls, and is connected before it has one. What the server
 * tells without being asked is lost until then: `isListening`, called once it is connected, waits for the stream.
 */
export function listeningTransport(url: string) {
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  const fetchAndTell = async (at: URL | string, init?: RequestInit) => {
    try {
      return await fetch(at, init);
    } finally {
      if (init?.method === "GET") resolve();
    }
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: fetchAndTell });
  const isListening = async () => {
    if (transport.sessionId !== undefined) await opened;
  };
  return { transport, isListening };
}

/** The parameters of every progress notification among the messages, as they came. */
export function progressIn(messages: readonly JSONRPCMessage[]): readonly Told[] {
  return messages.flatMap((message) =>
    "method" in message && message.method === "notifications/progress"
      ? [message.params as unknown as Told]
      : [],
  );
}

interface Told {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * Every message that comes after it is called, also the progress of which the client's own listener is not told: that
 * which it reads in one go with the result.
 */
export function messagesOf(transport: Pick<Transport, "onmessage">): readonly JSONRPCMessage[] {
  const messages: JSONRPCMessage[] = [];
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    messages.push(message);
    onmessage?.(message, extra);
  };
  return messages;
}

/** One JSON-RPC message per text frame; the SDK has no WebSocket client since 2.0. */
export function webSocketTransport(url: string): Transport {
  let socket: WebSocket;
  const transport: Transport = {
    start() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      socket = new WebSocket(url, "mcp");
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error("The WebSocket failed."));
      socket.onclose = () => transport.onclose?.();
      socket.onmessage = ({ data }) => transport.onmessage?.(JSON.parse(String(data)));
      return promise;
    },
    async send(message) {
      socket.send(JSON.stringify(message));
    },
    async close() {
      socket.close();
    },
  };
  return transport;
}

/** The contract's bare request: no handshake, no session. */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return response;
}

export const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

/** The headers of a session opened by `initialize`. */
export async function openSession(url: string, headers: Record<string, string> = {}) {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "x", version: "1" },
  };
  const opened = await post(url, { ...PING, method: "initialize", params }, headers);
  return { "Mcp-Session-Id": opened.headers.get("mcp-session-id") ?? "" };
}
