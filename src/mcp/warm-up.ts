// Warm-up: a client's first calls would have to compile the whole path from message to tool and open the store, so the
// server makes such calls itself, in the background. They are neither logged nor counted.
import { setImmediate } from "node:timers/promises";
import {
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type Server,
} from "@modelcontextprotocol/server";
import type { WarmUpCall } from "../tools/family.ts";

export interface WarmUp {
  readonly calls: AsyncIterable<WarmUpCall>;
  /** False once there is nothing left to gain. */
  readonly isEarly: () => boolean;
  readonly connect: ConnectOwnClient;
}

/** Connects an internal client to a server, through the transport's wire if it has one. */
export type ConnectOwnClient = (
  create: () => Server,
  onResponse: (id: unknown) => void,
) => Promise<OwnClient> | OwnClient;

interface OwnClient {
  send(message: JSONRPCMessage): void;
  close(): Promise<void>;
}

export async function warmUp(
  create: () => Server,
  { calls, isEarly, connect }: WarmUp,
): Promise<void> {
  const waiting = new Map<unknown, () => void>();
  const client = await connect(create, (id) => waiting.get(id)?.());
  const ask = (method: string, params: Record<string, unknown>) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const id = waiting.size;
    waiting.set(id, resolve);
    client.send({ jsonrpc: "2.0", id, method, params });
    return promise;
  };
  try {
    const clientInfo = { name: "warm-up", version: "1.0.0" };
    const protocolVersion = LATEST_PROTOCOL_VERSION;
    await ask("initialize", { protocolVersion, capabilities: {}, clientInfo });
    client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    for await (const call of calls) {
      // Requests that have already arrived go first.
      await setImmediate();
      if (!isEarly()) return;
      await ask("tools/call", { ...call });
    }
  } finally {
    await client.close();
  }
}

/** Without a wire, so the transport's own work is left out. */
export const connectDirectly: ConnectOwnClient = async (create, onResponse) => {
  const server = create();
  const transport: Parameters<Server["connect"]>[0] = {
    start: async () => {},
    close: async () => {},
    send: async (message) => {
      if ("id" in message) onResponse(message.id);
    },
  };
  await server.connect(transport);
  return {
    send: (message) => transport.onmessage?.(message),
    close: () => server.close(),
  };
};
