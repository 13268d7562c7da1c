// A client's first calls would compile the whole way from the message to the tool and open the store: calls of our own
// take it first, in the background. They leave no line in the log and count in no metric.
import { setImmediate } from "node:timers/promises";
import {
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type Server,
} from "@modelcontextprotocol/server";
import type { Rehearsed } from "../tools/family.ts";

export interface Rehearsal {
  readonly calls: AsyncIterable<Rehearsed>;
  /** False once there is no more to be gained. */
  readonly isEarly: () => boolean;
  readonly stage: Stage;
}

/** A client of our own: connects to a server, by the wire's own way where the transport has one. */
export type Stage = (
  create: () => Server,
  onResponse: (id: unknown) => void,
) => Promise<StagePeer> | StagePeer;

interface StagePeer {
  send(message: JSONRPCMessage): void;
  close(): Promise<void>;
}

export async function rehearse(
  create: () => Server,
  { calls, isEarly, stage }: Rehearsal,
): Promise<void> {
  const waiting = new Map<unknown, () => void>();
  const peer = await stage(create, (id) => waiting.get(id)?.());
  const ask = (method: string, params: Record<string, unknown>) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const id = waiting.size;
    waiting.set(id, resolve);
    peer.send({ jsonrpc: "2.0", id, method, params });
    return promise;
  };
  try {
    const clientInfo = { name: "rehearsal", version: "1.0.0" };
    const protocolVersion = LATEST_PROTOCOL_VERSION;
    await ask("initialize", { protocolVersion, capabilities: {}, clientInfo });
    peer.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    for await (const call of calls) {
      // Requests that have arrived go first.
      await setImmediate();
      if (!isEarly()) return;
      await ask("tools/call", { ...call });
    }
  } finally {
    await peer.close();
  }
}

/** Without a wire: what only transports do is left out. */
export const direct: Stage = async (create, onResponse) => {
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
