// Real MCP clients: the current SDK in each of its modes, and the one before it.
import { Client, type Transport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "sdk-v1/client/index.js";
import type { Transport as OldTransport } from "sdk-v1/shared/transport.js";

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
